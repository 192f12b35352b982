import SQLCipher

extension StoreReader {
    /// Runs several statements on one snapshot and gives `body` the vault's files.
    func readSnapshot<Result>(
        _ body: (Connection, OpenContents) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try readSnapshot(with: OpenContents.self, body)
    }

    /// Continues in a transaction that an earlier read has left open, and gives `body` the vault's files.
    func readHeld<Result>(
        _ body: (Connection, OpenContents) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try readHeld(with: OpenContents.self, body)
    }
}
