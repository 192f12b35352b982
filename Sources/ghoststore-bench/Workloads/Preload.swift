import StoreClient

/// Fills a store before a measurement, through the client library.
enum Preload {
    private static let batchMessages = 1_000
    /// Calls in flight.
    private static let window = 8

    /// Creates the data set's conversations, one more per client to save into, and the messages.
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
