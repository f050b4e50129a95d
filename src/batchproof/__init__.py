"""batchproof proves whether a Kubernetes batch controller or gang scheduler does what it must."""

__version__ = "0.2.0"
