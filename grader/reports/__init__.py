"""What a grading run leaves: report.json, report.html, index.html, grades.csv, and lines in the terminal."""
