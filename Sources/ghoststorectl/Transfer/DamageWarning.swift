import StoreClient

extension Session {
    /// Warns that a file exported from a damaged store may be incomplete. A damaged store is read without the records
    /// in its journal. The missing records may include deletions, so importing the file could bring back deleted data.
    func warnOfDamage(in file: String) async {
        guard let status = try? await client.status(), status.storeState == .databaseDamaged else { return }
        Diagnostics.warn(
            "the store is damaged: \(file) may lack the newest changes, and may contain deleted data; "
                + "hint: ghoststorectl status")
    }
}
