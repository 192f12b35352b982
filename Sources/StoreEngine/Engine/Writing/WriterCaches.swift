final class WriterCaches {
    let areas = AreaCaches()
    let keptKeys = KeptKeyCache()
    let replica: ReplicaCaches
    /// All caches that must be informed of commits and rollbacks.
    let all: [any TransactionCache]

    init(vault: WriterVault) {
        replica = ReplicaCaches(vault: vault)
        all = areas.all + [keptKeys] + replica.all
    }
}
