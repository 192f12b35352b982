import SQLCipher

/// Opens the writer's connection under the key at hand, on the writer thread.
struct WriterOpening: Sendable {
    let directory: StateDirectory
    let keys: KeyHolder
    let libraries: LibraryVersions

    func open(_ context: WriterContext) throws(StoreError) {
        // Whoever wrote it was killed, maybe between a delete and its time to empty the log.
        let isLogLeft = directory.bytes(of: directory.wal) > 0
        let connection = try keys.withDatabaseKey { key throws(StoreError) in
            guard let key else { throw StoreState.locked.notOpenError }
            return try mapped(
                Connection(
                    path: directory.database, key: key, mode: .readWrite, profile: .ghoststore, versions: libraries))
        }
        do throws(StoreError) {
            try Schema.migrate(connection)
            try mapped(connection.setCacheKibibytes(EngineLimits.writerCacheKibibytes))
            context.statistics = try StatisticsRow.read(connection)
        } catch {
            // What cannot be opened is not to be changed by closing it.
            connection.preserveFiles()
            throw error
        }
        context.connection = connection
        context.needsHousekeeping = true
        if isLogLeft {
            context.noteRemovedContent()
        }
        context.reserve = DiskReserve(directory)
        context.reserve?.fill()
    }
}
