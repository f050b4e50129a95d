"""CNCF AI Conformance: what a submission carries of a run, and the rules that its checker applies.

A submission (cncf/k8s-ai-conformance, instructions.md) is a folder ``vX.Y/PRODUCT/``: a PRODUCT.yaml with an
entry for each requirement, and the evidence beside it.
"""
