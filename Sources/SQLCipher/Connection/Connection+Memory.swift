import CSQLCipher

extension Connection {
    /// Gives unused cached pages back to the allocator.
    package func releaseMemory() {
        sqlite3_db_release_memory(handle)
    }

    /// Bounds the page cache, in KiB.
    package func setCacheKibibytes(_ kibibytes: Int) throws(SQLCipherError) {
        try execute("PRAGMA cache_size = -\(kibibytes)")
    }
}
