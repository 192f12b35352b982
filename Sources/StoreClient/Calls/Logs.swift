import StoreBasics
import StoreProtocol

/// Append logs: named, bounded. What is appended are messages; a message in its place in the log, with its sequence
/// number, is an entry. A log that is not there is `.logNotFound`.
extension StoreClient {
    /// Creates a log, or finds the one of this name. One that was made with another configuration stays as it is and
    /// takes no messages from a writer that expects this one: compare the answer's `configuration`. A caller without
    /// the right to read the log gets its name and configuration alone.
    ///
    /// - Parameters:
    ///   - name: 1 to 256 bytes.
    ///   - configuration: how large it may grow, and what happens then. In a group each device's own entries have these
    ///     bounds.
    ///   - isReplicated: what the log holds and gets is told to the other devices of the store's group, and theirs can
    ///     be read here (`logEntriesOfAllDevices`). A log that was opened so once, with the configuration that it has,
    ///     is that for as long as it is there.
    ///   - idempotencyKey: names the mutation, so that repeating it does nothing twice.
    @discardableResult
    public func openLog(
        _ name: String, _ configuration: LogConfiguration, isReplicated: Bool = false,
        idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Log {
        var call = WireOpenLogRequest()
        call.name = name
        call.maximumBytes = configuration.maximumBytes
        call.overwritesOldest = configuration.overwritesOldest
        call.isReplicated = isReplicated
        let answered = try await answer(to: .openLog(call), .mutation(idempotencyKey)) { result in
            if case .openLog(let opened) = result { opened } else { nil }
        }
        return Log(answered.log)
    }

    /// Appends every message or none, and returns when they are on disk. It is no change: `changes` and `watch` do not
    /// show it, `followLog` does.
    ///
    /// - Parameters:
    ///   - messages: 1 to `StoreClient.entriesPerRequestMax`, each of 1 byte to `LogEntry.bytesMax`, and what one
    ///     request holds (8 MiB).
    ///   - name: the log's.
    ///   - expected: the configuration the log was opened with; `nil` takes the log as it is.
    ///   - idempotencyKey: names the mutation, so that repeating it does nothing twice.
    /// - Throws: `.logNotWritable` when the log has another configuration, `.logFull` when it keeps old messages and
    ///   has no room, `.logMessageTooLarge` when a message would not fit the log if it were empty.
    @discardableResult
    public func append(
        _ messages: [[UInt8]], toLog name: String, expecting expected: LogConfiguration? = nil,
        idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> AppendedEntries {
        let call = WireAppendLogRequest(name, messages, expected: expected)
        let answered = try await answer(to: .appendLog(call), .mutation(idempotencyKey)) { result in
            if case .appendLog(let appended) = result { appended } else { nil }
        }
        return try AppendedEntries(answered)
    }

    /// The entries of a log, oldest first, up to the newest one there is.
    ///
    /// - Parameters:
    ///   - name: the log's.
    ///   - sequence: of the last entry read before; 0 starts at the oldest one that is still there.
    public func logEntries(_ name: String, after sequence: UInt64 = 0) -> PagedList<LogEntryPage> {
        PagedList { (previous, limit) throws(StoreClientError) in
            let limit = limit ?? PageSize.following
            guard let previous else { return try await logEntryPage(name, after: sequence, limit: limit) }
            guard previous.hasMore, let last = previous.entries.last else { return nil }
            return try await logEntryPage(name, after: last.sequence, of: previous.identity, limit: limit)
        }
    }

    /// A page of a log's entries, oldest first. It ends after `limit` entries or when they take 1 MiB.
    ///
    /// - Parameters:
    ///   - name: the log's.
    ///   - sequence: of the last entry read before; 0 starts at the oldest one that is still there.
    ///   - identity: which log `sequence` is of, as the page before told it; `nil`: whichever has the name.
    ///   - limit: 1 to 1,000.
    ///   - wait: when there is nothing to read, how long the daemon waits for something before it answers; at most 60
    ///     seconds.
    /// - Throws: `.logNotFound`, also where the name is another log's by now; `.historyChanged` where a backup took the
    ///   store's place.
    public func logEntryPage(
        _ name: String, after sequence: UInt64 = 0, of identity: LogIdentity? = nil, limit: Int = 100,
        waiting wait: Duration = .zero
    ) async throws(StoreClientError) -> LogEntryPage {
        var call = WireReadLogRequest()
        call.name = name
        call.createdRevision = identity?.createdRevision ?? 0
        call.afterSequence = sequence
        call.limit = UInt32(clamping: limit)
        return try await logEntryPage(call, of: identity?.historyID, waiting: wait) { (page) throws(StoreClientError) in
            try page.checked(after: sequence)
        }
    }

    /// - Parameters:
    ///   - wait: for something to be read; an empty page that comes before its time is held back for a moment.
    ///   - check: whether the page answers the call.
    func logEntryPage(
        _ call: WireReadLogRequest, of history: HistoryID?, waiting wait: Duration,
        check: (LogEntryPage) throws(StoreClientError) -> LogEntryPage
    ) async throws(StoreClientError) -> LogEntryPage {
        var call = call
        call.waitMilliseconds = UInt32(clamping: wait.nanosecondsClamped / 1_000_000)
        let begin = ContinuousClock.now
        let effect = call.waitMilliseconds == 0 ? CallEffect.read : .waitingRead(wait)
        let client = with(history: history ?? self.history)
        let answered = try await client.answer(to: .readLog(call), effect) { result in
            if case .logEntries(let page) = result { page } else { nil }
        }
        let page = try check(LogEntryPage(answered))
        if page.entries.isEmpty {
            try await pause(until: begin + min(wait, Self.emptyAnswerTime))
        }
        return page
    }

    /// The entries of a log as they are appended, each once and in order, from the one after `sequence` on.
    ///
    /// - Parameters:
    ///   - name: the log's.
    ///   - sequence: of the last entry read before; 0 starts at the oldest one that is still there.
    ///   - identity: which log `sequence` is of (`LogEntryPage.identity`); `nil`: whichever has the name when the
    ///     stream begins.
    public func followLog(_ name: String, after sequence: UInt64 = 0, of identity: LogIdentity? = nil) -> LogStream {
        LogStream(client: self, name: name, after: sequence, of: identity)
    }

    /// The log as it is now.
    /// - Throws: `.logNotFound`.
    public func log(_ name: String) async throws(StoreClientError) -> Log {
        var call = WireGetLogRequest()
        call.name = name
        return Log(try await answer(to: .getLog(call), .read, read: Self.log))
    }

    /// The logs by the bytes of their names.
    ///
    /// - Parameter start: `nextCursor` of a page, to go on behind it; `nil` starts at the top.
    public func logs(from start: String? = nil) -> PagedList<LogPage> {
        PagedList(from: start) { (limit, cursor) throws(StoreClientError) in
            try await logPage(limit: limit, cursor: cursor)
        }
    }

    /// A page of logs by the bytes of their names.
    ///
    /// - Parameters:
    ///   - limit: 1 to 1,000.
    ///   - cursor: `nextCursor` of the page before; `nil` starts at the top.
    public func logPage(limit: Int = 100, cursor: String? = nil) async throws(StoreClientError) -> LogPage {
        var call = WireListLogsRequest()
        call.limit = UInt32(clamping: limit)
        call.cursor = cursor ?? ""
        let answered = try await answer(to: .listLogs(call), .read) { result in
            if case .logs(let page) = result { page } else { nil }
        }
        return LogPage(answered)
    }

    /// Deletes a log with its messages. One made later under this name counts from 1 again, and has another
    /// `createdRevision`. One that is replicated is deleted on all devices of the group, with all that was appended
    /// before.
    @discardableResult
    public func deleteLog(
        _ name: String, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireDeleteLogRequest()
        call.name = name
        return try await commit(.deleteLog(call), key: idempotencyKey)
    }

    /// What a waiting read that finds nothing takes at least: whoever follows a log asks again at once.
    static var emptyAnswerTime: Duration { .seconds(1) }

    func pause(until time: ContinuousClock.Instant) async throws(StoreClientError) {
        guard ContinuousClock.now < time else { return }
        do {
            try await Task.sleep(until: time, clock: .continuous)
        } catch {
            throw StoreClientError(.cancelled(wasSent: false), fault: nil, configuration: connection.configuration)
        }
    }

    private static func log(_ result: WireResult) -> WireLog? {
        if case .log(let log) = result { log } else { nil }
    }
}
