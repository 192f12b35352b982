"""Writes what the daemon says about messages and calls: StoreProtocol's calls, and StoreServer's conversions."""
