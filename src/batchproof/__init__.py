"""batchproof is a conformance test suite for Kubernetes batch controllers and gang schedulers."""

__version__ = "0.2.0"
