import SQLCipher
import StoreBasics
import StoreCrypto

/// Tries a key on the database file without changing the file or its WAL. An ordinary open would write the WAL back
/// when it is closed, and would remove the WAL of an empty file before it can be examined.
struct DatabaseProbe {
    let directory: StateDirectory
    let libraries: LibraryVersions

    /// Checks that the file exists, that its first page belongs to a store and opens with the key, and that no later
    /// build wrote it.
    ///
    /// - Throws: `.databaseDamaged`, `.newerSchema`, `.storageFailed`.
    func check(_ key: borrowing SecretBytes) throws(StoreError) {
        guard try opens(key) else { throw StoreError(SQLCipherError(kind: .notADatabase, operation: "open")) }
    }

    /// Returns whether the first page opens with the key. Performs the other checks of `check`, too, and throws their
    /// errors.
    func opens(_ key: borrowing SecretBytes) throws(StoreError) -> Bool {
        try checkFile()
        let hadSharedMemory = directory.exists(directory.sharedMemory)
        defer {
            // The read-only connection leaves the WAL index that it had to create. No other process has this directory
            // open.
            if !hadSharedMemory { try? directory.remove(directory.sharedMemory) }
        }
        // If there is a WAL, it has to be read as well, but `.probe` would ignore it. After a crash during a
        // checkpoint, no page of the file, not even the first, is valid without the WAL. The WAL may also contain the
        // commit of a later build's migration.
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

    /// Returns the schema version of the database file without its WAL. `nil` if that is unknown, because a checkpoint
    /// was interrupted or the file is damaged; then nothing may be changed.
    func versionOfFile(_ key: UnsafeRawBufferPointer) -> Int? {
        let connection = try? Connection(
            path: directory.database, key: key, mode: .probe, profile: .ghoststore, versions: libraries)
        defer { connection?.close() }
        return try? connection?.integer("PRAGMA user_version").map { Int($0) }
    }

    /// Checks what can be checked without a key. Every store has at least one page, because the database is complete
    /// before it gets its name.
    ///
    /// - Throws: `.databaseDamaged`.
    func checkFile() throws(StoreError) {
        guard directory.exists(directory.database) else {
            throw .databaseDamaged(
                """
                the file is missing, although its keyring exists
                """, isFileLost: true)
        }
        let bytes = directory.bytes(of: directory.database)
        guard bytes >= CipherProfile.ghoststore.pageBytes else {
            throw .databaseDamaged(
                """
                the file has \(bytes) bytes, less than one page: it was emptied
                """, isFileLost: true)
        }
    }
}

/// Opens the writer's connection under the current key, on the writer thread.
struct WriterOpening: Sendable {
    let directory: StateDirectory
    let keys: KeyHolder
    let libraries: LibraryVersions
    let journalSegmentBytes: Int
    /// The migrations of this build, or of a test.
    var migrations = Schema.migrations

    enum Files {
        /// The files are as the last use of the store left them.
        case found
        /// Like `found`, but an operator accepts the loss of missing data.
        case foundAcceptingLoss
        /// The files have just replaced the store's previous files. Nothing can be missing, whatever the mark beside
        /// them says.
        case exchanged
    }

    struct Outcome: Sendable {
        /// The acknowledged content that is missing from the store.
        var loss = StoreLoss()
        /// The damage because of which the store was opened only for reading.
        var damage: StoreError?
        /// True if the database has everything that the journal contains; false if records may be pending in the
        /// journal.
        var isCaughtUp = false
    }

    /// Opens the store. If pages are damaged that the journal has to change, opens it only for reading.
    ///
    /// - Throws: `.journalDamaged`, `.storeRolledBack` and the errors of the database; then nothing was changed, unless
    ///   a loss was accepted.
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
        // If there is a WAL, the process that wrote it was killed, perhaps after a delete and before it could empty WAL
        // and journal. So the WAL has to be emptied soon.
        let isLogLeft = directory.bytes(of: directory.wal) > 0
        let versionWithoutLog = isLogLeft ? try versionOfFile() : nil
        try preservingOnFailure(context) { connection throws(StoreError) in
            context.reserve = DiskReserve(directory)
            let version = try Schema.version(of: connection, newest: migrations.count)
            try journalOpening.open(files, context, connection, &outcome) { () throws(StoreError) in
                // If the file is not valid without its WAL, its version without the WAL does not matter.
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
                context.scheduleWALEmptying()
            }
            // A store without its reserve is treated like a store on a full disk, because an acknowledged write could
            // find no space for its pages.
            context.isDiskFull = context.reserve?.fill() != true
        }
    }

    /// Upgrades the database to this build's version. The upgrade is also written to the file itself before the journal
    /// continues: the next records belong to the new version, and a crash may lose the WAL.
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

    /// Opens a store only for reading, because the pending records of the journal cannot be applied to damaged pages.
    /// Readers see the state without these records. Nothing is changed, so that a later opening with repaired pages can
    /// continue with the journal.
    private func openForReading(_ files: Files, _ context: WriterContext) throws(StoreError) {
        // After a connection has read a damaged page, SQLCipher refuses all pages to it. So another connection is used.
        try preservingOnFailure(context) { connection throws(StoreError) in
            connection.preserveFiles()
            guard try Schema.version(of: connection, newest: migrations.count) == migrations.count else {
                throw .databaseDamaged("the tables have the form of an earlier version")
            }
            context.statistics = try StatisticsRow.read(connection)
            if files == .found {
                _ = try journalOpening.mark(expecting: context.statistics.revision)
            }
            context.fileUsage = try unlessDamaged([:]) { () throws(StoreError) in try FileUsageRows.all(connection) }
            // If the clock row is damaged, any age will do, because in a store that is open only for reading nothing is
            // deleted because of its age.
            let unknown = StoreClock.Anchor(age: 0, bootID: "", sinceBoot: 0, wall: context.clock.wall)
            context.clock.start(
                from: try unlessDamaged(unknown) { () throws(StoreError) in try ClockRow.read(connection) })
            context.leaveJournal()
        }
    }

    /// Runs `body` with a new connection of the context. If opening fails, closing the connection must not change the
    /// files.
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

    /// Returns a substitute if the value is damaged. Damage to data that reading does not need must not keep the rest
    /// of the store closed.
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
