"""From a row and its library to the command line of a worker."""
