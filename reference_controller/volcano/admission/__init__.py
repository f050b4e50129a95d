"""What becomes of Jobs and queues that users ask for: what is left open is filled in, some are refused."""
