"""The course tried on itself: known answers, right and wrong, through the same laws as everyone's."""
