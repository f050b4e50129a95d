"""The Job controller's decisions: observed state in, actions out; no await, no clock, no log.

`reconcile` names the order of the rules; each rule stands in the file of its policy.
"""
