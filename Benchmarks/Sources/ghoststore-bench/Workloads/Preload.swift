import Glibc
import StoreBasics
import StoreClient

/// Fills a store before a measurement, through the client library.
enum Preload {
    private static let batchMessages = StoreClient.entriesPerRequestMax
    /// The number of calls in flight.
    private static let window = 8

    /// Creates the conversations of the data set, one more for each client to save into, and the messages.
    static func run(_ dataSet: DataSet, clientCount: Int, socketPath: String) async throws {
        let client = try await StoreClient.connect(to: socketPath)
        try await inParallel(dataSet.conversationCount + clientCount, note: "making conversations") { number in
            _ = try await client.getOrCreateConversation(
                sessionID: dataSet.sessionID(ofConversation: number), id: dataSet.conversationID(number).description)
        }
        let batches = (dataSet.messageCount + batchMessages - 1) / batchMessages
        try await inParallel(batches, note: "loading thousands of messages") { batch in
            let first = batch * batchMessages
            let messages = (first..<min(first + batchMessages, dataSet.messageCount)).map(dataSet.message)
            _ = try await client.saveMessages(messages)
        }
        await client.close()
    }

    /// Sets a value in each of `SampleScenes.count` scenes.
    static func makeScenes(_ dataSet: DataSet, socketPath: String) async throws {
        let client = try await StoreClient.connect(to: socketPath)
        try await inParallel(SampleScenes.count, note: "making scenes") { number in
            let scene = dataSet.sceneName(number).description
            _ = try await client.setSceneValues(
                scene, [.set(SampleScenes.key, .string(SampleScenes.value(id: scene)))])
        }
        await client.close()
    }

    private static func inParallel(
        _ count: Int, note: String, _ work: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        var progress = Progress(what: note, total: count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= window {
                    try await group.next()
                }
                group.addTask { try await work(number) }
                progress.show(number)
            }
            try await group.waitForAll()
        }
        progress.finish()
    }
}

/// Prints progress lines on standard error. The counter appears only on a terminal.
struct Progress {
    private let what: String
    private let total: Int
    private let isShown: Bool
    private var shownAt: UInt64 = 0

    init(what: String, total: Int) {
        self.what = what
        self.total = total
        isShown = isatty(STDERR_FILENO) == 1
    }

    mutating func show(_ done: Int) {
        let now = MonotonicClock.nanoseconds
        guard isShown, now > shownAt + 100_000_000, total > 0 else { return }
        shownAt = now
        Self.write("\r\(what): \(done) of \(total)")
    }

    func finish() {
        if isShown, shownAt > 0 {
            Self.write("\r\u{1b}[K")
        }
    }

    static func note(_ line: String) {
        write(line + "\n")
    }

    private static func write(_ text: String) {
        var text = text
        text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
