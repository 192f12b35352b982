import StoreBasics
import StoreClient

/// Searches in all conversations through the StoreClient library. It saves its own messages: as many as the data set
/// has, each with eight of 100,000 words. The words are distributed as in a language, where few are very frequent.
struct SearchLatency: Sendable {
    let loops: ClientLoops
    let dataSet: DataSet

    /// Saves the messages, waits until the index contains them, and reports the size of the index.
    func prepare() async throws {
        let client = try await StoreClient.connect(to: loops.socketPath)
        var words = ZipfWords(seed: 1)
        let bytesBefore = try await settledBytes(client)
        // The first texts are as long as the mean text but contain no words, so the index stores little for them. They
        // show how much the file grows without the index.
        let wordless = dataSet.messageCount / 10 + 1
        try await save(wordless, client) { String(repeating: ".", count: 8 * 6 - 1) }
        let bytesWordless = try await settledBytes(client) - bytesBefore
        try await save(dataSet.messageCount, client) { (0..<8).map { _ in words.next() }.joined(separator: " ") }
        let savedAt = MonotonicClock.nanoseconds
        try await waitForIndex(client)
        let seconds = Double(MonotonicClock.nanoseconds - savedAt) / 1e9
        let bytes = try await settledBytes(client) - bytesBefore - bytesWordless
        let count = dataSet.messageCount
        let indexBytes = bytes - bytesWordless * count / wordless
        Progress.note(
            """
            search: \(count) messages found \(seconds) s after the last was saved; the file grew for its index by \
            \(indexBytes) bytes, \(indexBytes / count) a message
            """)
        await client.close()
    }

    private func save(_ count: Int, _ client: StoreClient, text: () -> String) async throws {
        var messages: [NewMessage] = []
        for number in 0..<count {
            messages.append(
                NewMessage(
                    conversation: dataSet.conversationReference(number % dataSet.conversationCount), text: text()))
            if messages.count == StoreClient.entriesPerRequestMax || number == count - 1 {
                try await client.saveMessages(messages)
                messages = []
            }
        }
    }

    /// Waits until the search index is complete. Before that, the pages of a search are empty and announce further
    /// pages, so `collect` continues.
    private func waitForIndex(_ client: StoreClient) async throws {
        _ = try await client.searchMessages("nowhere").collect()
    }

    /// Returns the size of the database once the index is complete and the size no longer changes, or after a minute.
    private func settledBytes(_ client: StoreClient) async throws -> Int {
        try await waitForIndex(client)
        var bytes = -1
        for _ in 0..<30 {
            let now = Int(clamping: try await client.statistics().databaseBytes)
            guard now != bytes else { return bytes }
            bytes = now
            try await Task.sleep(for: .seconds(2))
        }
        return bytes
    }

    func run() async throws -> Measurement {
        try await loops.run(.search, kinds: Self.queries.map(\.kind)) { client, loop, turn in
            let query = Self.queries[(loop + turn) % Self.queries.count].text
            let page = try await client.searchMessagePage(MessageSearch(query, limit: Self.limit))
            return page.messages.reduce(0) { $0 + $1.message.text.utf8.count }
        }
    }

    private static let limit = 50

    private static let queries: [(kind: String, text: String)] = [
        ("frequent", ZipfWords.word(2)),
        ("rare", ZipfWords.word(5_000)),
        ("two words", "\(ZipfWords.word(3)) \(ZipfWords.word(40))"),
        ("phrase", "\"\(ZipfWords.word(1)) \(ZipfWords.word(4))\""),
        ("beginning", "\(ZipfWords.word(20_000).dropLast())*"),
        ("without", "\(ZipfWords.word(30)) NOT \(ZipfWords.word(1))"),
        ("either", "\(ZipfWords.word(800)) OR \(ZipfWords.word(900))"),
    ]
}

/// Words with Zipf's distribution: the second word is half as frequent as the first, the third a third as frequent.
struct ZipfWords {
    private static let count = 100_000
    private static let sums: [Double] = {
        var sum = 0.0
        return (1...count).map { rank in
            sum += 1 / Double(rank)
            return sum
        }
    }()

    private var random: SplitMix

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
    }

    mutating func next() -> String {
        let target = Double(random.next() >> 11) / Double(1 << 53) * (Self.sums.last ?? 1)
        var (lower, upper) = (0, Self.count - 1)
        while lower < upper {
            let middle = (lower + upper) / 2
            if Self.sums[middle] < target {
                lower = middle + 1
            } else {
                upper = middle
            }
        }
        return Self.word(lower)
    }

    /// Returns a word of at least five letters.
    static func word(_ rank: Int) -> String {
        var (rest, letters) = (rank + 500_000, "")
        while rest > 0 {
            letters.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "a") + UInt8(rest % 26)))
            rest /= 26
        }
        return letters
    }
}
