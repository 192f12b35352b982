import StoreBasics
import StoreProtocol

/// Append logs: named, bounded. What is appended are messages; a message in its place in the log, with its sequence
/// number, is an entry. A log that is not there is `.logNotFound`.
extension StoreClient {
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
}
