"""The profile ``job``: what a controller of batch/v1 Jobs owes its users."""
