// Empty until the first file of this target is there.
