"""What is read of an implementation: its descriptor, how it is started, how a gang is spelled for it."""
