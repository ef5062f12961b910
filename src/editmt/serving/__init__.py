"""The server: one model behind HTTP, in our own format and in two that other people's tools speak."""
