"""The formats of other programs, in and out."""
