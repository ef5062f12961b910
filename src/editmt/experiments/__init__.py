"""The paper's experiments as a plan that can be killed and goes on: runs, decoding, tables, figures, report.

A task file says what is trained and tested; `plan` makes steps of it; each step leaves something on the disk,
with a stamp of what it was made from, and is not done again while the stamp holds.
"""
