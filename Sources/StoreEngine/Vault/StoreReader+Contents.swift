import SQLCipher

extension StoreReader {
    /// Several statements on one snapshot, with the files of the vault.
    func readSnapshot<Result>(
        _ body: (Connection, OpenContents) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try readSnapshot(with: OpenContents.self, body)
    }

    /// Continues in a transaction that an earlier read has left open, with the files of the vault.
    func readHeld<Result>(
        _ body: (Connection, OpenContents) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try readHeld(with: OpenContents.self, body)
    }
}
