extension StoreEngine {
    /// Runs an administrative method that changes the store's files. Only one runs at a time.
    ///
    /// A failed sync in it ends the process, like a failed sync of a commit. Otherwise the caller would get an error
    /// although the change may be on the disk, and a second attempt would prove nothing.
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

    /// Replaces the store's files. Runs on the writer thread, so that writes wait, and with the gate closed, so that
    /// reads wait and no connection has a replaced file open.
    ///
    /// - Throws: The errors of `body`. After an error with `losesDurability`, the process ends instead, before any
    ///   client sees the result.
    func exchangeFiles<Value: Sendable>(
        _ body: @escaping @Sendable (WriterContext) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try gate.close { () throws(StoreError) in
            readers.closeAll()
            defer { status.invalidateConnections() }
            return try writer.perform { [self] context throws(StoreError) in
                do throws(StoreError) {
                    let value = try body(context)
                    // The new store may have due messages of its own.
                    retentionTimer.armNoLater(than: 0)
                    return value
                } catch {
                    endIfDurabilityIsLost(error)
                    throw error
                }
            }
        }
    }

    /// Ends the process if the content of the disk is unknown. Returns otherwise.
    func endIfDurabilityIsLost(_ error: StoreError) {
        if error.losesDurability {
            configuration.onLostDurability(error)
        }
    }
}
