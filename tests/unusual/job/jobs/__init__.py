"""A small Job controller with its choices taken out: each program beside this package makes them otherwise.

It knows nothing of the reference controller. It reads the Job and its pods anew, consistently, each time that
it looks; watches only tell it when to look.
"""
