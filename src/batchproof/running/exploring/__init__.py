"""Random exploration: programs are made, played by several workers, made smaller, and written down."""
