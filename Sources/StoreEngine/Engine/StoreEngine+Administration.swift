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

    /// Puts other files in the store's place: on the writer thread, so that writes wait for it, and behind the closed
    /// gate, so that reads do and no connection holds a file that is gone.
    ///
    /// - Throws: what `body` throws, unless that loses durability: then the process ends before anybody sees what is
    ///   left.
    func exchangeFiles<Value: Sendable>(
        _ body: @escaping @Sendable (WriterContext) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try gate.close { () throws(StoreError) in
            readers.closeAll()
            defer { status.invalidateConnections() }
            return try writer.perform { [self] context throws(StoreError) in
                do throws(StoreError) {
                    let value = try body(context)
                    // What takes the store's place has messages of its own that are due.
                    retentionAlarm.set(to: 0)
                    return value
                } catch {
                    endIfDurabilityIsLost(error)
                    throw error
                }
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
