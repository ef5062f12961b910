"""Translation without torch: models written for other runtimes, and the searches that run there."""
