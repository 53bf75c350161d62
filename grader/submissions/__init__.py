"""Finding and reading what students sent. Nothing here imports, runs or unpacks any of it."""
