import StoreBasics
import StoreClient

/// Searches in all conversations through the StoreClient library, in messages of words of their own: as many as the
/// data set has messages, each of eight words from 100,000, the frequent ones as much more frequent as in a language.
struct SearchLatency: Sendable {
    let loops: ClientLoops
    let dataSet: DataSet

    /// Saves the messages and waits until the index holds them.
    func prepare() async throws {
        let client = try await StoreClient.connect(to: loops.socketPath)
        var words = ZipfWords(seed: 1)
        var messages: [NewMessage] = []
        for number in 0..<dataSet.messageCount {
            let text = (0..<8).map { _ in words.next() }.joined(separator: " ")
            messages.append(
                NewMessage(
                    conversation: dataSet.conversationReference(number % dataSet.conversationCount), text: text))
            if messages.count == StoreClient.entriesPerRequestMax || number == dataSet.messageCount - 1 {
                try await client.saveMessages(messages)
                messages = []
            }
        }
        // An empty page that has more is asked for again: the index is behind.
        for query in Self.queries {
            _ = try await client.searchMessages(query).pages.first { !$0.messages.isEmpty }
        }
        await client.close()
    }

    func run() async throws -> Measurement {
        try await loops.run(.search) { client, loop, turn in
            let query = Self.queries[(loop + turn) % Self.queries.count]
            let page = try await client.searchMessagePage(MessageSearch(query, limit: Self.limit))
            return page.messages.reduce(0) { $0 + $1.message.text.utf8.count }
        }
    }

    private static let limit = 50

    /// A frequent word, a rarer one, two words, a phrase, a beginning, one word without another, either of two.
    private static let queries = [
        ZipfWords.word(2), ZipfWords.word(5_000), "\(ZipfWords.word(3)) \(ZipfWords.word(40))",
        "\"\(ZipfWords.word(1)) \(ZipfWords.word(4))\"", "\(ZipfWords.word(20_000).dropLast())*",
        "\(ZipfWords.word(30)) NOT \(ZipfWords.word(1))", "\(ZipfWords.word(800)) OR \(ZipfWords.word(900))",
    ]
}

/// Words by their frequency: the second half as often as the first, the third a third as often.
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

    /// Letters, five or more.
    static func word(_ rank: Int) -> String {
        var (rest, letters) = (rank + 500_000, "")
        while rest > 0 {
            letters.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "a") + UInt8(rest % 26)))
            rest /= 26
        }
        return letters
    }
}
