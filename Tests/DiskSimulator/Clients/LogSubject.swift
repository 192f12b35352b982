import StoreBasics
import StoreEngine

/// An append log, as the list of appended messages. If the log overwrites its oldest messages, all messages have one
/// size, so that the number of remaining ones can be computed.
struct LogSubject: Subject {
    private static let entriesMax = 60
    /// The size of a log that overwrites: the number of messages that fill it, and the bytes of each. Each message has
    /// 4 bytes for its length, and the log has a header of 64 bytes.
    private static let ringMessages = 9
    private static let ringMessageBytes = 150
    private static let ringBytes = UInt64(64 + ringMessages * (4 + ringMessageBytes))

    private let client: Int
    private let overwritesOldest: Bool
    private var isThere = false
    private var messages: [[UInt8]] = []
    private var deleted: [[UInt8]] = []

    init(client: Int, overwritesOldest: Bool) {
        self.client = client
        self.overwritesOldest = overwritesOldest
    }

    private var logText: String { "log-\(client)" }

    /// The number of messages that the log still contains. A new message takes the place of an old one, and the log
    /// also drops the old message that follows in the file. So the log contains one message fewer than fit. The
    /// exception is a new message at the end of the file, because no old message follows it.
    private var keptCount: Int {
        guard overwritesOldest, messages.count > Self.ringMessages else { return messages.count }
        return messages.count % Self.ringMessages == 0 ? Self.ringMessages : Self.ringMessages - 1
    }

    var contents: [String: String] {
        guard isThere else { return [:] }
        let first = messages.count - keptCount
        let lines = messages[first...].enumerated().map { "\(first + $0 + 1) \(Bytes.name(of: $1))" }
        return ["entries": lines.joined(separator: ", ")]
    }

    var removedBytes: [Needle] {
        (deleted + messages.dropLast(keptCount)).compactMap(Needle.init)
    }
    var isReadAtOnce: Bool { true }

    func read(_ reader: StoreReader) throws(StoreError) -> [String: String] {
        let name = try LogName(logText)
        let page: LogPage
        do throws(StoreError) {
            page = try reader.logEntries(LogQuery(log: name, limit: 1_000))
        } catch {
            guard error.reason == .logNotFound else { throw error }
            return [:]
        }
        let lines = page.entries.map { "\($0.sequence) \(Bytes.name(of: $0.data))" }
        return ["entries": lines.joined(separator: ", ")]
    }

    mutating func next(_ number: Int, _ random: inout SplitMix) throws(StoreError) -> Work {
        let name = try LogName(logText)
        guard isThere else {
            isThere = true
            let configuration = LogConfiguration(
                maximumBytes: overwritesOldest ? Self.ringBytes : 1 << 20, overwritesOldest: overwritesOldest)
            return .mutation(.openLog(name, configuration))
        }
        guard messages.count < Self.entriesMax else {
            deleted += messages
            (isThere, messages) = (false, [])
            return .mutation(.deleteLog(name))
        }
        let new = (0...random.number(below: 4)).map { _ in
            Bytes.of(
                seed: random.next(), count: overwritesOldest ? Self.ringMessageBytes : 20 + random.number(below: 700))
        }
        messages += new
        return .mutation(.appendLog(LogAppend(log: name, expected: nil, messages: new)))
    }
}
