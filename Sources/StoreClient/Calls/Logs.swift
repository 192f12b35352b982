import StoreBasics
import StoreProtocol

/// Lists and streams of append logs. If the log does not exist, they end with `.logNotFound`.
extension StoreClient {
    /// Lists the entries of a log, oldest first, up to the newest one. The pages are requested as the list is iterated.
    ///
    /// - Parameters:
    ///   - name: The name of the log.
    ///   - sequence: The number of the last entry that was read; 0 starts at the oldest entry that still exists.
    public func logEntries(_ name: String, after sequence: UInt64 = 0) -> PagedList<LogEntryPage> {
        PagedList { (previous, limit) throws(StoreClientError) in
            let limit = limit ?? PageSize.following
            guard let previous else { return try await logEntryPage(name, after: sequence, limit: limit) }
            guard previous.hasMore, let last = previous.entries.last else { return nil }
            return try await logEntryPage(name, after: last.sequence, of: previous.identity, limit: limit)
        }
    }

    /// Lists the entries of all devices of the replica group in a log, as far as they have arrived, in the order of the
    /// times at which they were appended. In a log that is not replicated, these are the store's own entries.
    ///
    /// - Parameters:
    ///   - name: The name of the log.
    ///   - place: `LogEntryPage.place` of a page, to continue after it; `nil` starts at the oldest entries that still
    ///     exist.
    public func logEntriesOfAllDevices(_ name: String, after place: LogPlace? = nil) -> PagedList<LogEntryPage> {
        PagedList { (previous, limit) throws(StoreClientError) in
            if let previous, !previous.hasMore { return nil }
            return try await logEntryPageOfAllDevices(
                name, after: previous?.place ?? place, limit: limit ?? PageSize.following)
        }
    }

    /// Returns the entries of a log as they are appended, each once and in order.
    ///
    /// - Parameters:
    ///   - name: The name of the log.
    ///   - sequence: The number of the last entry that was read; 0 starts at the oldest entry that still exists.
    ///   - identity: The log that `sequence` belongs to (`LogEntryPage.identity`); `nil` follows the log that has the
    ///     name when the stream begins.
    public func followLog(_ name: String, after sequence: UInt64 = 0, of identity: LogIdentity? = nil) -> LogStream {
        // A stream waits for entries and for the daemon without a deadline.
        LogStream(
            start: .init(client: with(deadline: nil), name: name, lastSequence: sequence, identity: identity))
    }

    /// Returns the entries of all devices in a log as they arrive on this device, in pages. Each entry comes once, and
    /// the entries of one device come in their order.
    ///
    /// - Parameters:
    ///   - name: The name of the log.
    ///   - place: `LogEntryPage.place` of the page that was read last; `nil` starts at the oldest entries that still
    ///     exist.
    public func followLogOfAllDevices(_ name: String, after place: LogPlace? = nil) -> LogPageStream {
        LogPageStream(start: .init(client: with(deadline: nil), name: name, place: place))
    }

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - wait: The time that the daemon waits for an entry. If the daemon returns an empty page earlier, this method
    ///     delays it until the end of that time, but by at most a second. Otherwise a follower, which asks again at
    ///     once, would cause many requests.
    ///   - check: Returns the page; throws if the page is not a valid answer to the call.
    func logEntryPage(
        _ call: WireReadLogRequest, of history: HistoryID?, waiting wait: Duration,
        check: (LogEntryPage) throws(StoreClientError) -> LogEntryPage
    ) async throws(StoreClientError) -> LogEntryPage {
        let begin = ContinuousClock.now
        let answered = try await with(history: history ?? self.history).answer(to: .readLog(call), .waiting(wait)) {
            if case .logEntries(let page) = $0 { page } else { nil }
        }
        let page = try check(LogEntryPage(answered))
        if page.entries.isEmpty {
            try await pause(until: begin + min(wait, .seconds(1)))
        }
        return page
    }

    func pause(until time: ContinuousClock.Instant) async throws(StoreClientError) {
        guard ContinuousClock.now < time else { return }
        do {
            try await Task.sleep(until: time, clock: .continuous)
        } catch {
            throw StoreClientError(.cancelled(wasSent: false), fault: nil, configuration: connection.configuration)
        }
    }
}

extension LogEntryPage: NumberedPage {
    static func number(of entry: LogEntry) -> UInt64 { entry.sequence }

    var nextStart: UInt64? { hasMore ? entries.last?.sequence ?? 0 : nil }

    /// Returns the page; throws if the page does not contain the position at which the next page begins.
    func withPlace() throws(StoreClientError) -> LogEntryPage {
        guard place != nil else {
            throw .answerUnreadable(
                """
                the daemon's answer has no position in the log; this version of the daemon cannot read the logs of all \
                devices
                """
            )
        }
        return self
    }
}
