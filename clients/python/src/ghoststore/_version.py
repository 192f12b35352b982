"""The version of the package, which is the version of the project."""

VERSION = "0.1.0"
