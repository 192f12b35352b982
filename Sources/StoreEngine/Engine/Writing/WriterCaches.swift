final class WriterCaches {
    let areas = AreaCaches()
    let keptKeys = KeptKeyCache()
    let replica: ReplicaCaches
    /// Every cache, each once.
    let all: [any TransactionCache]

    init(vault: WriterVault) {
        replica = ReplicaCaches(vault: vault)
        all = areas.all + [keptKeys] + replica.all
    }
}
