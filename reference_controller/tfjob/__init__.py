"""Decisions about TFJobs, their pods and services: pure, one file a rule."""
