"""The profile ``volcano-job``: what Volcano's controllers owe to Jobs, PodGroups and queues."""
