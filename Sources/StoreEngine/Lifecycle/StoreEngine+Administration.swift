extension StoreEngine {
    /// Runs an administrative method that changes the store's files: one at a time.
    ///
    /// A failed sync in it is as final as one of a commit: the caller would be told of a failure while the change may
    /// be on disk, and trying again proves nothing.
    func administer<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try administration.withLock { _ throws(StoreError) in
            do throws(StoreError) {
                return try body()
            } catch {
                endIfDurabilityIsLost(error)
                throw error
            }
        }
    }

    /// Does not return when it is not known any more what is on disk.
    func endIfDurabilityIsLost(_ error: StoreError) {
        if error.losesDurability {
            configuration.onLostDurability(error)
        }
    }
}
