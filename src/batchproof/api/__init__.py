"""The harness's own way to an API server."""
