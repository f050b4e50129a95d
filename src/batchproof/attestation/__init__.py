"""Certificates: a run, signed, that carries its evidence; and a verifier that takes nothing on trust."""
