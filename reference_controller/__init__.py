"""Batch controllers written to be read: the specification as a program, and a system under test.

It is started as a process (`python -m reference_controller job --kubeconfig PATH`) and knows nothing of the
harness that judges it. `job` holds pure decisions; `runtime` is the only place that talks to an API server.
"""
