"""How programs are started, and how none is left behind."""
