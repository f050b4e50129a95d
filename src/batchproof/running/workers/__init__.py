"""The worker processes of a run: forks of one process that has loaded all that they need.

A worker that starts by itself loads all modules, steps and features anew: more than a second of work, a dozen
times. ``server`` loads them once and forks; pytest-xdist starts ``ask`` in place of a worker, by its option
``--tx popen//python=COMMAND``.
"""
