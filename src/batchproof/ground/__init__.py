"""What every other package stands on: errors, files, documents, resources, where the suite lies."""
