"""Decisions about Volcano Jobs, their PodGroups, queues and Commands: pure, one file a rule."""
