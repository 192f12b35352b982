import SQLCipher
package import StoreBasics

/// A reader of the store with a connection of its own, opened on first use and closed when the store is locked.
///
/// Safe from any thread, but one read at a time: an event loop or a pool thread has its own. Every method throws
/// `.storeLocked` (or why the store is not open) while there is nothing to read, and `.databaseDamaged` when a page
/// it met does not authenticate.
package final class StoreReader: Sendable {
    struct Opened {
        let connection: Connection
        let generation: UInt64
        /// Of the store as long as it is open: only what takes its place has another.
        let history: HistoryID
        /// What areas keep with the connection.
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
    /// The one whose connection this uses, which those who close connections know.
    private let original: StoreReader?
    /// Ends what runs.
    let cutoff: StatementCutoff

    /// - Parameter waits: whether its thread may wait for the writer's, so that it sees all that was answered.
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

    /// The age of the open store.
    var clock: StoreClock { source.clock }

    /// This reader for what is about one history: every read of another throws `.historyChanged`. `nil`: any history.
    package func expecting(_ history: HistoryID?) -> StoreReader {
        history.map { StoreReader(self, expecting: $0) } ?? self
    }

    /// Closes the connection; the next read opens another.
    func close() {
        state.withLock { state in
            Self.close(&state)
            cutoff.restore()
        }
    }

    /// Reads from now on share a snapshot, which saves taking and giving back locks for each, until something newer is
    /// visible. For a burst of short reads: the WAL cannot start over until `endBurst`.
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

    /// Does work that has a deadline.
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
        source.noteActivity()
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
                // Cut off by a lock.
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
        let fresh = try openNotingDamage()
        state.opened = fresh
        return try run(body, on: fresh, of: &state)
    }

    private func openNotingDamage() throws(StoreError) -> Opened {
        do throws(StoreError) {
            return try source.open(cutoff)
        } catch {
            if error.reason == .databaseDamaged {
                source.noteDamage(error)
            }
            throw error
        }
    }

    /// The history that a read is of, inside it: no other store takes this one's place meanwhile.
    func history() throws(StoreError) -> HistoryID {
        guard let history = source.history() else { throw StoreState.locked.notOpenError }
        return history
    }

    /// A caller that has seen more of the history than there is asks a store that was put back, unless damage keeps it
    /// from what waits in the journal.
    func requireReached(_ revision: UInt64, _ statistics: Statistics) throws(StoreError) {
        guard revision > statistics.revision, let damage = source.damage() else { return }
        throw damage
    }

    /// Several statements on one snapshot.
    func readSnapshot<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try readOpenSnapshot { opened throws(StoreError) in try body(opened.connection) }
    }

    /// The same, with what an area keeps beside the connection.
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

    /// Goes on in a transaction that an earlier read has left open, with what an area keeps beside the connection.
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
                source.noteDamage(error)
                // SQLCipher refuses every page to a connection that has met one that does not authenticate.
                Self.close(&state)
            }
            throw error
        }
    }

    static let begin = StatementText("BEGIN")
}

/// The snapshot that the reads of a burst share.
private struct ReadBurst {
    /// Before the snapshot was taken; `nil` before the first read.
    private var moment: UInt64?

    /// Begins a snapshot, or another where something newer is visible or this one is in the way.
    mutating func next(on connection: Connection, _ visibility: WriteVisibility) throws(StoreError) {
        // Before the snapshot, which may be newer.
        let now = visibility.moment
        guard moment != now || connection.isInAutocommit else { return }
        connection.rollBack()
        moment = now
        try connection.run(StoreReader.begin)
    }

    /// The connection is closed.
    mutating func forget() {
        moment = nil
    }
}

/// Where readers get their connections from.
struct ReaderSource: Sendable {
    var gate: ReaderGate
    /// The age of the open store.
    var clock: StoreClock
    /// Connections of an earlier one must not be used any more.
    var generation: @Sendable () -> UInt64
    var open: @Sendable (StatementCutoff) throws(StoreError) -> StoreReader.Opened
    /// That of the open store, which the database has once there was room to write it; `nil` while none is open.
    var history: @Sendable () -> HistoryID?
    var noteActivity: @Sendable () -> Void
    var noteDamage: @Sendable (StoreError) -> Void
    /// What was met when the store was opened or since.
    var damage: @Sendable () -> StoreError?
    /// A search has met more than it can look through that is not in its index yet.
    var askForIndexing: @Sendable () -> Void
    /// What areas share among all readers.
    var parts = SharedReaderParts()
    /// Of what was answered.
    var visibility: WriteVisibility
}
