"""The worker processes of a run: forks of one process that has loaded all that they need.

A worker that starts by itself loads all modules, steps and features again: more than a second of work for
each of a dozen workers. ``server`` loads them once and forks. pytest-xdist starts ``ask`` in place of a
worker (its option ``--tx popen//python=COMMAND``).
"""
