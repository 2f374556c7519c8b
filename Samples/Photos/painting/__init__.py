"""Paints the scenes of Cameo's sample photos."""
