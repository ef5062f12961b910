"""EditMT: translation by editing.

A complete implementation of EDITOR (Xu & Carpuat, TACL 2021). Start reading at `editmt.edits`: its three
actions are what the oracle teaches, what a model decides, what is applied, recorded, counted and shown.
"""

__version__ = "0.1.0"
