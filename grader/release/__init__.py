"""The student's copy of the course: what is in it, the proof that it gives nothing away, and how it is written."""
