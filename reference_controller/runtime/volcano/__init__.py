"""What carries out the decisions about Volcano Jobs and queues."""
