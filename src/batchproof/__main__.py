"""``python -m batchproof`` is ``batchproof``."""

from batchproof.cli import main

main()
