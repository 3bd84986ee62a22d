"""A dataset as a tape with its hashes, and its canonical encoding in each format."""
