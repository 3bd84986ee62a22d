"""What is found out of libraries beyond speed and size: what they change, and how large a document may be."""
