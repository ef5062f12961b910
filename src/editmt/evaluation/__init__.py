"""How good translations are: metrics, whether a difference is chance, samples of constraints, tables.

Every metric turns a segment into statistics (a row of numbers) and the sum of rows into a score: that is all
the paired bootstrap needs, so it works for each of them.
"""
