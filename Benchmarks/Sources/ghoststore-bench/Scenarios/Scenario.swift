import StoreBasics
import StoreProtocol

/// The scenarios that can be measured on a running daemon.
enum Scenario: String, CaseIterable, Codable, Sendable {
    case save
    case get
    case list = "list-100"
    case mixed
    case statistics
    case append
    case sceneSet = "scene-set"
    case sceneGet = "scene-get"
    case watch
    case connect
    case clientGet = "client-get"
    case clientSave = "client-save"
    case blobExport = "blob-export"
    case blobExportSealed = "blob-export-sealed"
    case blobImport = "blob-import"
    case search

    var summary: String {
        switch self {
        case .save: "save one message per request, durable"
        case .get: "get one message"
        case .list: "list the newest 100 messages of a conversation"
        case .mixed: "80 % get, 20 % save"
        case .statistics: "get the store's counters"
        case .append: "append one message to a 1 MiB overwriting log, durable"
        case .sceneSet: "set one key of a scene, durable"
        case .sceneGet: "get one key of a scene"
        case .watch: "from sending a save on one connection to the event on another"
        case .connect: "connect, ping, close"
        case .clientGet: "get one message through the StoreClient library"
        case .clientSave: "save one message through the StoreClient library"
        case .blobExport: "export a whole conversation as a message file"
        case .blobExportSealed: "export a whole conversation as a message file that is sealed for a recipient"
        case .blobImport: "import a whole message file into a new conversation, durable"
        case .search: "search for the newest 50 messages with a word, a phrase, a beginning and the like"
        }
    }

    /// The largest number of clients of the scenario, even if `--clients` is larger. It is 1 for a scenario that opens
    /// its own connections instead of one for each client.
    var clientsMax: Int {
        switch self {
        case .watch, .connect: 1
        case .blobExport, .blobExportSealed, .blobImport: BlobFiles.clientsMax
        default: .max
        }
    }

    /// True if the scenario needs only the preloaded messages and changes nothing.
    var readsOnly: Bool {
        switch self {
        case .get, .list, .statistics, .clientGet, .search: true
        default: false
        }
    }

    /// Returns the numbers of clients to measure with, without duplicates.
    func clientCounts(_ wanted: [Int]) -> [Int] {
        var counts: [Int] = []
        for count in wanted.map({ min($0, clientsMax) }) where !counts.contains(count) {
            counts.append(count)
        }
        return counts
    }
}

/// Runs scenarios on one daemon with one data set.
struct ScenarioRunner {
    let socketPath: String
    let dataSet: DataSet
    /// The number of the next message to save.
    private var nextMessage: Int
    private var hasScenes = false
    private var hasSearchedMessages: Bool

    /// - Parameter hasSearchedMessages: true if an earlier run has saved the messages that are searched.
    init(socketPath: String, dataSet: DataSet, hasSearchedMessages: Bool = false) {
        self.socketPath = socketPath
        self.dataSet = dataSet
        self.hasSearchedMessages = hasSearchedMessages
        nextMessage = dataSet.messageCount
    }

    mutating func run(_ scenario: Scenario, clients: Int, duration: LoopDuration) async throws -> Measurement {
        let name = scenario.rawValue
        switch scenario {
        case .save:
            return try loop(SaveWorkload(dataSet, firstMessage: claimMessages()), name, clients, duration)
        case .get:
            return try loop(RepeatedWorkload.get(dataSet), name, clients, duration)
        case .list:
            try requireFullPages()
            return try loop(RepeatedWorkload.list(dataSet), name, clients, duration)
        case .mixed:
            return try loop(MixedWorkload(dataSet, firstMessage: claimMessages()), name, clients, duration)
        case .statistics:
            return try loop(RepeatedWorkload.statistics(), name, clients, duration)
        case .append:
            try await SampleLog.open(socketPath: socketPath)
            return try loop(RepeatedWorkload.append(), name, clients, duration)
        case .sceneSet:
            try await makeScenesOnce()
            return try loop(SceneSetWorkload(dataSet, firstValue: claimMessages()), name, clients, duration)
        case .sceneGet:
            try await makeScenesOnce()
            return try loop(RepeatedWorkload.sceneGet(dataSet), name, clients, duration)
        case .watch:
            return try WatchLatency(socketPath: socketPath, dataSet: dataSet, firstMessage: claimMessages())
                .run(duration)
        case .connect:
            return try ConnectLatency(socketPath: socketPath).run(duration)
        case .clientGet:
            return try await ClientLibraryLatency(loops: loops(clients, duration), dataSet: dataSet).get()
        case .clientSave:
            return try await ClientLibraryLatency(loops: loops(clients, duration), dataSet: dataSet)
                .save(firstMessage: claimMessages())
        case .blobExport:
            return try await BlobFiles(loops: loops(clients, duration), dataSet: dataSet).exports()
        case .blobExportSealed:
            return try await BlobFiles(loops: loops(clients, duration), dataSet: dataSet).sealedExports()
        case .blobImport:
            return try await BlobFiles(loops: loops(clients, duration), dataSet: dataSet)
                .imports(firstMessage: claimMessages())
        case .search:
            let latency = SearchLatency(loops: loops(clients, duration), dataSet: dataSet)
            try await prepareSearchOnce(latency)
            return try await latency.run()
        }
    }

    /// Makes a fixed number of saves per second, however long they take.
    mutating func runPacedSaves(
        perSecond: Int, clients: Int, duration: LoopDuration
    ) throws(BenchError) -> Measurement {
        let load = try SaveWorkload(dataSet, firstMessage: claimMessages())
        var loop = try PacedLoop(socketPath: socketPath, clientCount: clients, perSecond: perSecond, load: load)
        return try loop.run(duration).measurement(scenario: Scenario.save.rawValue, clientCount: clients)
    }

    /// Sends the requests of a scenario to a program that answers every request with fixed bytes.
    mutating func run(
        _ scenario: Scenario, onPeer peerSocketPath: String, clients: Int, duration: LoopDuration
    ) throws(BenchError) -> Measurement {
        func measure(_ load: some Workload) throws(BenchError) -> Measurement {
            var loop = try ClosedLoop(socketPath: peerSocketPath, clientCount: clients, load: load)
            return try loop.run(duration).measurement(scenario: scenario.rawValue, clientCount: clients)
        }
        switch scenario {
        case .save: return try measure(SaveWorkload(dataSet, firstMessage: claimMessages()))
        case .append: return try measure(RepeatedWorkload.append())
        case .sceneSet: return try measure(SceneSetWorkload(dataSet, firstValue: claimMessages()))
        case .get: return try measure(RepeatedWorkload.get(dataSet))
        case .list: return try measure(RepeatedWorkload.list(dataSet))
        default: throw BenchError("\(scenario.rawValue) cannot be measured with a peer")
        }
    }

    private func loops(_ clients: Int, _ duration: LoopDuration) -> ClientLoops {
        ClientLoops(socketPath: socketPath, clients: clients, duration: duration)
    }

    private func loop(
        _ load: some Workload, _ name: String, _ clients: Int, _ duration: LoopDuration
    ) throws(BenchError) -> Measurement {
        var loop = try ClosedLoop(socketPath: socketPath, clientCount: clients, load: load)
        return try loop.run(duration).measurement(scenario: name, clientCount: clients)
    }

    /// Returns the first of a range of message numbers that no other scenario uses.
    private mutating func claimMessages() -> Int {
        let first = nextMessage
        nextMessage += 100_000_000
        return first
    }

    private mutating func makeScenesOnce() async throws {
        if !hasScenes {
            try await Preload.makeScenes(dataSet, socketPath: socketPath)
            hasScenes = true
        }
    }

    private mutating func prepareSearchOnce(_ latency: SearchLatency) async throws {
        if !hasSearchedMessages {
            try await latency.prepare()
            hasSearchedMessages = true
        }
    }

    /// Throws an error if a page has fewer than 100 messages, because the measurement would then not be comparable.
    private func requireFullPages() throws(BenchError) {
        var connection = try FrameConnection(to: socketPath)
        let requestID = try connection.send {
            $0.listMessages = RepeatedWorkload.listRequest(dataSet.conversationID(0).description)
        }
        try connection.receive { outline, payload throws(BenchError) in
            try outline.require(
                CallKind.listMessages.rawValue, answerTo: requestID, hasMore: false, in: payload)
            var messageCount = 0
            var reader = ProtobufReader(payload, range: outline.result)
            while let field = try? reader.next() {
                messageCount += field.number == 1 ? 1 : 0
            }
            guard messageCount == RepeatedWorkload.listLimit else {
                throw BenchError(
                    "a conversation has only \(messageCount) messages; hint: more --messages, fewer --conversations")
            }
        }
    }
}
