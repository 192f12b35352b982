"""The modules of scripts/make-man-pages."""
