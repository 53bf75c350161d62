"""A run's results as other platforms read them. Everything is made from `OUT/*/report.json`."""
