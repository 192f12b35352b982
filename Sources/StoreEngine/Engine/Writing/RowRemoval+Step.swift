import SQLCipher
import StoreCrypto

extension RowRemoval {
    /// The listeners of replication and of the search index, which have rows about messages.
    static let listeners: MessageRowListeners = { (connection) throws(StoreError) in
        [ReplicaRemovals(connection: connection), try SearchRemoval(connection)]
    }

    /// Removes rows until a slice of a few milliseconds is over, and records in the context when nothing is left.
    static func step(_ context: WriterContext) throws(StoreError) {
        let slice = WorkSlice.ofCommit(context.othersWait)
        var isLeft = true
        var released: [ContentID] = []
        var isCommitted = false
        defer { context.attachmentCache.endStep(isCommitted: isCommitted) }
        let hasRemoved = try context.commit { connection throws(StoreError) in
            let changesBefore = connection.totalChanges
            repeat {
                isLeft = try removeSome(slice, listeners, connection, &released)
            } while isLeft && !slice.isOver
            if !isLeft {
                // Contents may be evictable now, because the removed messages no longer protect them.
                isLeft = try AttachmentEviction.step(context.attachmentCache, slice, connection, &released)
            }
            return connection.totalChanges != changesBefore
        }
        isCommitted = true
        context.hasRowsToRemove = isLeft
        if !released.isEmpty {
            context.released(.some(released))
        }
        if hasRemoved {
            context.scheduleWALEmptying()
        }
    }
}
