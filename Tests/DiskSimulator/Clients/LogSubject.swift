import StoreBasics
import StoreEngine

/// An append log: what was appended, in order.
struct LogSubject: Subject {
    private static let entriesMax = 60

    private let client: Int
    private var isThere = false
    private var entries: [String] = []

    init(client: Int) {
        self.client = client
    }

    private var logText: String { "log-\(client)" }

    var contents: [String: String] {
        isThere ? ["entries": entries.joined(separator: ", ")] : [:]
    }

    var removedTexts: [String] { [] }
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
            let configuration = LogConfiguration(maximumBytes: 1 << 20, overwritesOldest: false)
            return .mutation(.openLog(name, configuration))
        }
        guard entries.count < Self.entriesMax else {
            (isThere, entries) = (false, [])
            return .mutation(.deleteLog(name))
        }
        let messages = (0...random.number(below: 4)).map { _ in
            Bytes.of(seed: random.next(), count: 20 + random.number(below: 700))
        }
        for message in messages {
            entries.append("\(entries.count + 1) \(Bytes.name(of: message))")
        }
        return .mutation(.appendLog(LogAppend(log: name, expected: nil, messages: messages)))
    }
}
