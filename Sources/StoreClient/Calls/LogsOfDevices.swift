import FoundationEssentials
import StoreProtocol

/// What all devices of a group have appended to a log that is replicated, read as one: in the order of the times at
/// which they were appended. Of a log that is not these are its own entries.
extension StoreClient {
    /// The entries of all devices, as far as they have come here.
    ///
    /// - Parameters:
    ///   - name: the log's.
    ///   - place: of a page (`LogEntryPage.place`), to go on behind it; `nil` starts at the oldest entries that are
    ///     still there.
    public func logEntriesOfAllDevices(_ name: String, after place: LogPlace? = nil) -> PagedList<LogEntryPage> {
        PagedList { (previous, limit) throws(StoreClientError) in
            let limit = limit ?? PageSize.following
            guard let previous else { return try await logEntryPageOfAllDevices(name, after: place, limit: limit) }
            guard previous.hasMore, let place = previous.place else { return nil }
            return try await logEntryPageOfAllDevices(name, after: place, limit: limit)
        }
    }

    /// A page of the entries of all devices. It ends after `limit` entries or when they take 1 MiB. What comes late
    /// from a device is in a page behind it, and none is missed.
    ///
    /// - Parameters:
    ///   - name: the log's.
    ///   - place: of the page before; `nil` starts at the oldest entries that are still there.
    ///   - limit: 1 to 1,000.
    ///   - wait: when there is nothing to read, how long the daemon waits for something before it answers; at most 60
    ///     seconds.
    /// - Throws: `.logNotFound`, also where the place is in a log that was deleted since; `.historyChanged` where a
    ///   backup took the store's place.
    public func logEntryPageOfAllDevices(
        _ name: String, after place: LogPlace? = nil, limit: Int = 100, waiting wait: Duration = .zero
    ) async throws(StoreClientError) -> LogEntryPage {
        var call = WireReadLogRequest()
        call.name = name
        call.allDevices = true
        call.place = Data(place?.bytes ?? [])
        call.limit = UInt32(clamping: limit)
        return try await logEntryPage(call, of: place?.historyID, waiting: wait) { (page) throws(StoreClientError) in
            guard page.place != nil else {
                throw .answerUnreadable(
                    "the daemon's answer has no position in the log; this daemon cannot read the logs of all devices")
            }
            return page
        }
    }

    /// The entries of all devices as they come here, in pages: each entry once, those of one device in their order.
    ///
    /// - Parameters:
    ///   - name: the log's.
    ///   - place: of the page that was read last; `nil` starts at the oldest entries that are still there.
    public func followLogOfAllDevices(_ name: String, after place: LogPlace? = nil) -> LogPageStream {
        LogPageStream(client: self, name: name, after: place)
    }
}
