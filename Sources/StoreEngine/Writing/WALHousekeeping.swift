import SQLCipher

/// When the writer empties its WAL: it is the only connection that may.
struct WALHousekeeping {
    /// How long the writer may be idle with a dirty WAL.
    static let idleMilliseconds = 1_000
    /// How long removed content may stay in the WAL under constant writing.
    static let removedContentSeconds = 5

    let pageBytes: Int

    func afterCommit(_ context: WriterContext) throws(StoreError) {
        guard let connection = context.connection else { return }
        if let removedAt = context.contentRemovedAt,
            removedAt.duration(to: .now) > .seconds(Self.removedContentSeconds)
        {
            try empty(connection, context)
        } else if connection.walFrames * pageBytes >= EngineLimits.walBytesMax {
            let result = try mapped { () throws(SQLCipherError) in try connection.checkpoint(.passive) }
            if result.isComplete {
                context.isWALDirty = false
            }
        }
    }

    func whenIdle(_ context: WriterContext) throws(StoreError) {
        guard let connection = context.connection, context.isWALDirty else { return }
        if context.contentRemovedAt != nil {
            try empty(connection, context)
        } else {
            let result = try mapped { () throws(SQLCipherError) in try connection.checkpoint(.passive) }
            context.isWALDirty = !result.isComplete
        }
        context.reserve?.fill()
        connection.releaseMemory()
    }

    /// Takes old page images out of the WAL file by making it empty.
    private func empty(_ connection: Connection, _ context: WriterContext) throws(StoreError) {
        let result = try mapped { () throws(SQLCipherError) in try connection.checkpoint(.truncate) }
        if result.isComplete {
            context.isWALDirty = false
            context.contentRemovedAt = nil
        }
    }
}
