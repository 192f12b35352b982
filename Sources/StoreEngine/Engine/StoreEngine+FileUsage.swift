extension StoreEngine {
    /// The usage of every area as of the last commit, from memory; empty while no store is open.
    package var fileUsage: [FileAreaUsage] {
        guard let usage = status.fileUsage else { return [] }
        return configuration.fileQuotas.areas(usage)
    }
}
