import SQLCipher
import StoreBasics
import StoreCrypto

/// Tries a key on the database file without changing it or its WAL: an ordinary open would write the WAL back when
/// it is closed, and removes the WAL of an empty file before anybody can look into it.
struct DatabaseProbe {
    let directory: StateDirectory
    let libraries: LibraryVersions

    /// Makes sure that the file is there, that its first page is one of a store and opens with the key, and that no
    /// later build wrote it.
    ///
    /// - Throws: `.databaseDamaged`, `.newerSchema`, `.storageFailed`.
    func check(_ key: borrowing SecretBytes) throws(StoreError) {
        guard try opens(key) else { throw StoreError(SQLCipherError(kind: .notADatabase, operation: "open")) }
    }

    /// The same, but false where the first page does not open with the key.
    func opens(_ key: borrowing SecretBytes) throws(StoreError) -> Bool {
        try checkFile()
        let hadSharedMemory = directory.exists(directory.sharedMemory)
        defer {
            // The read-only connection leaves the index it had to make; nobody else has this directory open.
            if !hadSharedMemory { try? directory.remove(directory.sharedMemory) }
        }
        // A crash in the middle of a checkpoint leaves a file, its first page included, that makes sense only together
        // with its WAL. The WAL may also hold the commit of a later build's migration.
        let mode: Connection.Mode = directory.bytes(of: directory.wal) > 0 ? .readOnly : .probe
        return try key.withUnsafeBytes { bytes throws(StoreError) in
            let connection: Connection
            do throws(SQLCipherError) {
                connection = try Connection(
                    path: directory.database, key: bytes, mode: mode, profile: .ghoststore, versions: libraries)
            } catch {
                guard error.kind == .notADatabase else { throw StoreError(error) }
                return false
            }
            defer { connection.close() }
            _ = try Schema.version(of: connection)
            return true
        }
    }

    /// The version of the database file as it is without its WAL; `nil` where that cannot be told: a checkpoint was
    /// cut off, or the file is damaged, and then nothing is to be changed.
    func versionOfFile(_ key: UnsafeRawBufferPointer) -> Int? {
        let connection = try? Connection(
            path: directory.database, key: key, mode: .probe, profile: .ghoststore, versions: libraries)
        defer { connection?.close() }
        return try? connection?.integer("PRAGMA user_version").map { Int($0) }
    }

    /// What can be told without a key. Every store has a page at least: it is complete before it gets its name.
    ///
    /// - Throws: `.databaseDamaged`.
    func checkFile() throws(StoreError) {
        guard directory.exists(directory.database) else {
            throw .databaseDamaged(
                """
                the file is missing, although its keyring exists
                """, hint: "put the file back, or restore a backup")
        }
        let bytes = directory.bytes(of: directory.database)
        guard bytes >= CipherProfile.ghoststore.pageBytes else {
            throw .databaseDamaged(
                """
                the file has \(bytes) bytes, less than one page: it was emptied
                """, hint: "put the file back, or restore a backup"
            )
        }
    }
}

/// Opens the writer's connection under the key at hand, on the writer thread.
struct WriterOpening: Sendable {
    let directory: StateDirectory
    let keys: KeyHolder
    let libraries: LibraryVersions
    let journalSegmentBytes: Int
    /// Those of this build, unless a test has others.
    var migrations = Schema.migrations

    enum Files {
        /// As they were left when the store was last used.
        case found
        /// The same, and an operator takes what is missing for lost.
        case foundAcceptingLoss
        /// Put in the store's place just now: nothing can be missing, whatever is in the place of their mark.
        case exchanged
    }

    /// How it went.
    struct Outcome: Sendable {
        /// What is missing of what the store held when it was last used.
        var loss = StoreLoss()
        /// The store was opened for reading only, because pages that are to change are damaged.
        var damage: StoreError?
        /// The database has all that the journal holds; else something may wait in it.
        var isCaughtUp = false
    }

    /// - Throws: `.journalDamaged`, `.storeRolledBack` and what the database throws; nothing has been changed then,
    ///   unless a loss was accepted.
    @discardableResult
    func open(_ files: Files, _ context: WriterContext) throws(StoreError) -> Outcome {
        var outcome = Outcome()
        do throws(StoreError) {
            try openWhole(files, context, &outcome)
        } catch {
            guard error.reason == .databaseDamaged, files != .exchanged else { throw error }
            do throws(StoreError) {
                try openForReading(files, context)
            } catch let second {
                throw second.reason == .storeRolledBack ? second : error
            }
            outcome.damage = error
        }
        return outcome
    }

    private func openWhole(_ files: Files, _ context: WriterContext, _ outcome: inout Outcome) throws(StoreError) {
        // Whoever wrote it was killed, maybe between a delete and its time to empty log and journal.
        let isLogLeft = directory.bytes(of: directory.wal) > 0
        let versionWithoutLog = isLogLeft ? try versionOfFile() : nil
        try preservingOnFailure(context) { connection throws(StoreError) in
            context.reserve = DiskReserve(directory)
            let version = try Schema.version(of: connection, newest: migrations.count)
            try journalOpening.open(files, context, connection, &outcome) { () throws(StoreError) in
                // A file that makes no sense without its log is none of an earlier version without it either.
                try migrate(connection, versionOfFile: versionWithoutLog ?? version)
            }
            try mapped(connection.setCacheKibibytes(EngineLimits.writerCacheKibibytes))
            context.writeBack = WALWriteBack(directory)
            context.statistics = try StatisticsRow.read(connection)
            context.fileUsage = try unlessDamaged([:]) { () throws(StoreError) in try FileUsageRows.all(connection) }
            context.clock.start(from: try ClockRow.read(connection))
            context.searchBacklog = .ofOpenedStore()
            context.needsHousekeeping = true
            context.hasRowsToRemove = true
            if isLogLeft || outcome.loss.isCertain {
                context.noteRemovedContent()
            }
            // Without it an answered write could find no room for its pages.
            context.isDiskFull = context.reserve?.fill() != true
        }
    }

    /// Brings the database to this build's version, and its file too before the journal goes on: records are of that
    /// version from here on, and a crash may leave nothing of the log.
    private func migrate(_ connection: Connection, versionOfFile: Int) throws(StoreError) {
        try Schema.migrate(connection, migrations: migrations)
        guard versionOfFile != migrations.count else { return }
        guard try mapped(connection.checkpoint(.truncate)).isComplete else {
            throw StoreError(.storeBusy, "the store's write-ahead log is in use; unlock the store again")
        }
    }

    private func versionOfFile() throws(StoreError) -> Int? {
        try keys.withDatabaseKey { key throws(StoreError) in
            guard let key else { throw StoreState.locked.notOpenError }
            return DatabaseProbe(directory: directory, libraries: libraries).versionOfFile(key)
        }
    }

    /// Opens what can be read of a store whose pages do not take what waits for them in the journal, as it stands
    /// without that. Changes nothing: an opening that finds these pages whole again goes on with the journal.
    private func openForReading(_ files: Files, _ context: WriterContext) throws(StoreError) {
        // A connection that has met a damaged page refuses all others.
        try preservingOnFailure(context) { connection throws(StoreError) in
            connection.preserveFiles()
            guard try Schema.version(of: connection, newest: migrations.count) == migrations.count else {
                throw .databaseDamaged("the tables have the form of an earlier version", hint: "restore a backup")
            }
            context.statistics = try StatisticsRow.read(connection)
            if files == .found {
                _ = try journalOpening.mark(expecting: context.statistics.revision)
            }
            context.fileUsage = try unlessDamaged([:]) { () throws(StoreError) in try FileUsageRows.all(connection) }
            // Nothing is deleted by the time of a store that is only read.
            let unknown = StoreClock.Anchor(age: 0, bootID: "", sinceBoot: 0, wall: context.clock.wall)
            context.clock.start(
                from: try unlessDamaged(unknown) { () throws(StoreError) in try ClockRow.read(connection) })
            context.leaveJournal()
        }
    }

    /// Runs `body` with a connection of the context. What cannot be opened is not to be changed by closing it.
    private func preservingOnFailure<Result>(
        _ context: WriterContext, _ body: (Connection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let connection = try connect()
        context.connection = connection
        do throws(StoreError) {
            return try body(connection)
        } catch {
            context.close(preservingFiles: true)
            throw error
        }
    }

    private var journalOpening: JournalOpening {
        JournalOpening(directory: directory, keys: keys, segmentBytes: journalSegmentBytes)
    }

    /// Damage to what is not needed for reading is no reason to keep the rest of a store closed.
    private func unlessDamaged<Value>(
        _ substitute: Value, _ read: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        do throws(StoreError) {
            return try read()
        } catch {
            guard error.reason == .databaseDamaged else { throw error }
            return substitute
        }
    }

    private func connect() throws(StoreError) -> Connection {
        try keys.withDatabaseKey { key throws(StoreError) in
            guard let key else { throw StoreState.locked.notOpenError }
            return try mapped(
                Connection(
                    path: directory.database, key: key, mode: .readWrite, profile: .ghoststore, versions: libraries))
        }
    }
}
