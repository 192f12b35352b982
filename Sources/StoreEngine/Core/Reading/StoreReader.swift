import SQLCipher
package import StoreBasics

/// A reader of the store with a connection of its own, which is opened at first use and closed when the store is
/// locked.
///
/// It may be used from any thread, but runs one read at a time, so each event loop and pool thread has its own. While
/// no store is open, every method throws the reason, such as `.storeLocked`. Every method throws `.databaseDamaged` if
/// a page cannot be authenticated.
package final class StoreReader: Sendable {
    struct Opened {
        let connection: Connection
        let generation: UInt64
        /// The history of the store. It cannot change while the connection is open, because readers reconnect to a
        /// store that replaces this one.
        let history: HistoryID
        /// Objects that areas store with the connection.
        let parts: ReaderParts
    }

    private struct State {
        var opened: Opened?
        var burst: ReadBurst?
    }

    let source: ReaderSource
    private let state: ConditionLock<State>
    private let waits: Bool
    private let expectedHistory: HistoryID?
    /// The reader whose connection this reader uses, if this one was made by `expecting` for one history.
    /// `ReaderRegistry` contains only the original reader, so this reference keeps that reader alive.
    private let original: StoreReader?
    /// Interrupts running statements.
    let cutoff: StatementCutoff

    /// - Parameter waits: if true, a read waits until the writer has committed all acknowledged writes, so that it sees
    ///   them.
    init(source: ReaderSource, waits: Bool) {
        self.source = source
        self.waits = waits
        state = ConditionLock(State())
        cutoff = StatementCutoff()
        expectedHistory = nil
        original = nil
    }

    private init(_ reader: StoreReader, expecting history: HistoryID) {
        source = reader.source
        waits = reader.waits
        state = reader.state
        cutoff = reader.cutoff
        expectedHistory = history
        original = reader.original ?? reader
    }

    /// The clock with the age of the open store.
    var clock: StoreClock { source.clock }

    /// Returns a reader for one history. Its reads throw `.historyChanged` if the store has another history. `nil`
    /// accepts any history.
    package func expecting(_ history: HistoryID?) -> StoreReader {
        history.map { StoreReader(self, expecting: $0) } ?? self
    }

    /// Closes the connection. The next read opens another.
    func close() {
        state.withLock { state in
            Self.close(&state)
            cutoff.restore()
        }
    }

    /// Starts a burst of short reads. Until newer data is visible, they share one snapshot, which saves acquiring and
    /// releasing locks for each read. The WAL cannot start over until `endBurst`.
    package func beginBurst() {
        state.withLock { state in
            if state.burst == nil {
                state.burst = ReadBurst()
            }
        }
    }

    package func endBurst() {
        state.withLock { state in
            guard state.burst != nil else { return }
            state.burst = nil
            state.opened?.connection.rollBack()
        }
    }

    /// Runs a read of the pool, and interrupts its statements at its deadline.
    func run(_ work: ReaderPool.Work) {
        cutoff.setDeadline(work.deadline)
        work.run(self)
        cutoff.setDeadline(nil)
    }

    private static func close(_ state: inout State) {
        state.opened?.connection.close()
        state.opened = nil
        state.burst?.forget()
    }

    func read<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try readOpen { opened, _ throws(StoreError) in try body(opened.connection) }
    }

    private func readOpen<Result>(
        _ body: (Opened, _ isInBurst: Bool) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        source.recordActivity()
        if waits {
            try source.visibility.waitUntilSeen()
        }
        return try source.gate.pass { () throws(StoreError) in
            try readOpened(body)
        }
    }

    private func readOpened<Result>(
        _ body: (Opened, Bool) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try state.withLock { state throws(StoreError) in
            let generation = source.generation()
            do throws(StoreError) {
                return try readOpened(&state, body)
            } catch {
                // If the generation has changed, the statement was interrupted by locking the store and not by the
                // deadline.
                guard error.reason == .deadlineExceeded, source.generation() != generation else { throw error }
                throw StoreState.locked.notOpenError
            }
        }
    }

    private func readOpened<Result>(
        _ state: inout State, _ body: (Opened, Bool) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        if let current = state.opened, current.generation == source.generation() {
            return try run(body, on: current, of: &state)
        }
        Self.close(&state)
        let fresh = try openReportingDamage()
        state.opened = fresh
        return try run(body, on: fresh, of: &state)
    }

    private func openReportingDamage() throws(StoreError) -> Opened {
        do throws(StoreError) {
            return try source.open(cutoff)
        } catch {
            if error.reason == .databaseDamaged {
                source.reportDamage(error)
            }
            throw error
        }
    }

    /// Returns the history of the open store. Call it only during a read: no other store can replace the open one then.
    func history() throws(StoreError) -> HistoryID {
        guard let history = source.history() else { throw StoreState.locked.notOpenError }
        return history
    }

    /// Checks the revision that a caller has already seen. If the store has not reached it, acknowledged changes in the
    /// journal could not be applied because of damage.
    ///
    /// - Throws: the damage, if there is any.
    func requireReached(_ revision: UInt64, _ statistics: Statistics) throws(StoreError) {
        guard revision > statistics.revision, let damage = source.damage() else { return }
        throw damage
    }

    /// Runs several statements on one snapshot.
    func readSnapshot<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try readOpenSnapshot { opened throws(StoreError) in try body(opened.connection) }
    }

    /// Runs several statements on one snapshot. Passes `body` the object of the type `part` that an area has stored
    /// with the connection (`ReaderParts`).
    func readSnapshot<Part: AnyObject, Result>(
        with part: Part.Type, _ body: (Connection, Part) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try readOpenSnapshot { opened throws(StoreError) in try body(opened.connection, opened.parts.find(part)) }
    }

    private func readOpenSnapshot<Result>(
        _ body: (Opened) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try readOpen { opened, isInBurst throws(StoreError) in
            guard !isInBurst else { return try body(opened) }
            try opened.connection.run(Self.begin)
            defer { opened.connection.rollBack() }
            return try body(opened)
        }
    }

    /// Continues a transaction that an earlier read has left open. Passes `body` the object of the type `part` that an
    /// area has stored with the connection (`ReaderParts`).
    func readHeld<Part: AnyObject, Result>(
        with part: Part.Type, _ body: (Connection, Part) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try readOpen { opened, _ throws(StoreError) in try body(opened.connection, opened.parts.find(part)) }
    }

    private func run<Result>(
        _ body: (Opened, Bool) throws(StoreError) -> Result, on current: Opened, of state: inout State
    ) throws(StoreError) -> Result {
        try History.expect(expectedHistory, is: current.history)
        do throws(StoreError) {
            try state.burst?.next(on: current.connection, source.visibility)
            return try body(current, state.burst != nil)
        } catch {
            if error.reason == .databaseDamaged {
                source.reportDamage(error)
                // Close the connection, because SQLCipher rejects all further reads of a connection that has found a
                // page which does not authenticate.
                Self.close(&state)
            }
            throw error
        }
    }

    static let begin = StatementText("BEGIN")
}

/// The snapshot that the reads of a burst share.
private struct ReadBurst {
    /// The value of `WriteVisibility.moment` before the snapshot began; `nil` before the first read.
    private var moment: UInt64?

    /// Starts the first snapshot, or a new one if newer data is visible or the writer has asked for new snapshots.
    mutating func next(on connection: Connection, _ visibility: WriteVisibility) throws(StoreError) {
        // Read the counter before the snapshot begins, so that the snapshot is never older than the counter's value.
        let now = visibility.moment
        guard moment != now || connection.isInAutocommit else { return }
        connection.rollBack()
        moment = now
        try connection.run(StoreReader.begin)
    }

    /// Forgets the snapshot, because the connection is closed.
    mutating func forget() {
        moment = nil
    }
}

/// The functions with which readers open connections and report to the engine.
struct ReaderSource: Sendable {
    var gate: ReaderGate
    /// The clock with the age of the open store.
    var clock: StoreClock
    /// The generation of the open store. Connections of an earlier generation must not be used any more.
    var generation: @Sendable () -> UInt64
    var open: @Sendable (StatementCutoff) throws(StoreError) -> StoreReader.Opened
    /// The history of the open store; `nil` while no store is open.
    var history: @Sendable () -> HistoryID?
    var recordActivity: @Sendable () -> Void
    var reportDamage: @Sendable (StoreError) -> Void
    /// The damage that was found when the store was opened or later.
    var damage: @Sendable () -> StoreError?
    /// Requests a step of the search index, because a search found more unindexed changes than it can examine.
    var askForIndexing: @Sendable () -> Void
    /// The values that areas share among all readers.
    var parts = SharedReaderParts()
    /// The state of acknowledged writes that readers may not see yet.
    var visibility: WriteVisibility
}
