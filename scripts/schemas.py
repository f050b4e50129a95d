"""Writes the JSON Schemas of what batchproof writes into reports/schemas: python scripts/schemas.py."""

from __future__ import annotations

from batchproof import suite
from batchproof.report.schemas import schemas


def main() -> None:
    """Write each schema, and say which."""
    for name, text in schemas().items():
        path = suite.schemas() / name
        path.write_bytes(text)
        print(path)


if __name__ == "__main__":
    main()
