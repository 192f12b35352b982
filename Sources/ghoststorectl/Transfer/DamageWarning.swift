import StoreClient

extension Session {
    /// Says of what was brought out of a damaged store that it may not be all that was answered: such a store is read
    /// without what waits in its journal, deletions among it, and whoever puts the file into a store brings back what
    /// they deleted.
    func warnOfDamage(in file: String) async {
        guard let status = try? await client.status(), status.storeState == .databaseDamaged else { return }
        Diagnostics.warn(
            "the store is damaged: \(file) may lack the newest changes, and may contain deleted data; "
                + "hint: ghoststorectl status")
    }
}
