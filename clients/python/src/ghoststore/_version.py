"""The version, which is the project's."""

VERSION = "0.1.0"
