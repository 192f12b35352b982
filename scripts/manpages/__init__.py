"""What scripts/make-man-pages is made of."""
