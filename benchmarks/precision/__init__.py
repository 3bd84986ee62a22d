"""The proof of the measurement: how right, how sure and how quick serbench's figures are, by experiment."""
