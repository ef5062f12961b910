"""The version, which runs and prepared data record."""

__version__ = "0.1.0"
