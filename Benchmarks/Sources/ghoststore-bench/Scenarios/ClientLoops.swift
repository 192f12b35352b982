import StoreBasics
import StoreClient

/// Closed loops through the StoreClient library. Each loop has its own client and so its own connection.
struct ClientLoops: Sendable {
    let socketPath: String
    let clients: Int
    let duration: LoopDuration

    /// - Parameters:
    ///   - kinds: the names of the kinds of calls. `call` must make a call of the kind at index (loop + turn) modulo
    ///     the number of kinds.
    ///   - call: makes the call of a turn of a loop, and returns the number of content bytes that it received.
    func run(
        _ scenario: Scenario, kinds: [String]? = nil,
        _ call: @escaping @Sendable (_ client: StoreClient, _ loop: Int, _ turn: Int) async throws -> Int
    ) async throws -> Measurement {
        var storeClients: [StoreClient] = []
        for _ in 0..<clients {
            storeClients.append(try await StoreClient.connect(to: socketPath))
        }
        let kinds = kinds ?? [scenario.rawValue]
        var recorder = LoopRecorder(kinds: kinds)
        recorder.begin(duration)
        let empty = recorder
        try await withThrowingTaskGroup(of: LoopRecorder.self) { group in
            for (loop, client) in storeClients.enumerated() {
                group.addTask {
                    var recorder = empty
                    var turn = 0
                    var startedAt = MonotonicClock.nanoseconds
                    while startedAt < recorder.countUntil {
                        let byteCount = try await call(client, loop, turn)
                        let answeredAt = MonotonicClock.nanoseconds
                        recorder.record(
                            kind: (loop + turn) % kinds.count, sentAt: startedAt, answeredAt: answeredAt,
                            byteCount: byteCount, failure: nil)
                        turn += 1
                        startedAt = answeredAt
                    }
                    return recorder
                }
            }
            for try await part in group {
                recorder.add(part)
            }
        }
        for client in storeClients {
            await client.close()
        }
        return try recorder.measurement(scenario: scenario.rawValue, clientCount: clients)
    }
}

/// Measures `GetWorkload` and `SaveWorkload` as an application sees them: the same requests through the StoreClient
/// library.
struct ClientLibraryLatency {
    let loops: ClientLoops
    let dataSet: DataSet

    func get() async throws -> Measurement {
        let dataSet = dataSet
        let clients = loops.clients
        return try await loops.run(.clientGet) { client, loop, turn in
            let number = Int(SplitMix.mix(UInt64(turn * clients + loop)) % UInt64(dataSet.messageCount))
            return try await client.message(dataSet.messageID(number).description).text.utf8.count
        }
    }

    func save(firstMessage: Int) async throws -> Measurement {
        let dataSet = dataSet
        let clients = loops.clients
        return try await loops.run(.clientSave) { client, loop, turn in
            let number = firstMessage + turn * clients + loop
            try await client.saveMessage(
                NewMessage(
                    id: dataSet.messageID(number).description,
                    conversation: .id(dataSet.clientConversationID(loop).description),
                    text: SampleTexts.all[number % SampleTexts.all.count], senderSessionID: DataSet.ownSessionID,
                    recipientSessionID: dataSet.sessionID(ofConversation: 0), isOutgoing: true))
            return 0
        }
    }
}

/// Exports and imports whole message files through the StoreClient library. Each file contains one conversation of the
/// data set, so the number of its messages is `--messages` divided by `--conversations`.
struct BlobFiles {
    let loops: ClientLoops
    let dataSet: DataSet
    /// The number of exports and imports that the daemon runs for one user at the same time.
    static let clientsMax = 4

    /// Exports a conversation of the data set, another one in each turn.
    func exports() async throws -> Measurement {
        let dataSet = dataSet
        return try await loops.run(.blobExport) { client, loop, turn in
            try await Self.export(client, Self.conversation(dataSet, loop, turn), seal: .none).count
        }
    }

    /// Exports files that are sealed for a recipient, which needs no key derivation from a passphrase.
    func sealedExports() async throws -> Measurement {
        let dataSet = dataSet
        return try await loops.run(.blobExportSealed) { client, loop, turn in
            let seal = BlobSeal.recipient(publicKey: Self.recipient)
            return try await Self.export(client, Self.conversation(dataSet, loop, turn), seal: seal).count
        }
    }

    /// Imports the file of the data set's first conversation into a new conversation in each turn.
    /// - Parameter firstMessage: The number of the first new conversation. It must be larger than all numbers that
    ///   earlier runs used.
    func imports(firstMessage: Int) async throws -> Measurement {
        let client = try await StoreClient.connect(to: loops.socketPath)
        let file = try await Self.export(client, dataSet.conversationReference(0), seal: .none)
        await client.close()
        let (dataSet, clients) = (dataSet, loops.clients)
        return try await loops.run(.blobImport) { client, loop, turn in
            let name = dataSet.sessionID(ofConversation: firstMessage + turn * clients + loop)
            try await Self.importFile(file, into: name, client)
            return 0
        }
    }

    /// The X25519 base point. It serves as a public key, because no secret key is needed here.
    private static let recipient: [UInt8] = [9] + [UInt8](repeating: 0, count: 31)

    private static func conversation(_ dataSet: DataSet, _ loop: Int, _ turn: Int) -> ConversationReference {
        dataSet.conversationReference((loop + turn) % dataSet.conversationCount)
    }

    private static func export(
        _ client: StoreClient, _ conversation: ConversationReference, seal: consuming BlobSeal
    ) async throws -> [UInt8] {
        let export = try await client.beginBlobExport(of: conversation, seal: seal)
        var file: [UInt8] = []
        while true {
            let piece = try await client.readBlobExport(export.session, offset: UInt64(file.count))
            file += piece.data
            if piece.isLast {
                return file
            }
        }
    }

    private static func importFile(_ file: [UInt8], into sessionID: String, _ client: StoreClient) async throws {
        let session = try await client.beginBlobImport(
            BlobImportOptions(
                conversation: .sessionID(sessionID), importID: "bench", totalBytes: UInt64(file.count)))
        for offset in stride(from: 0, to: file.count, by: StoreClient.blobPieceBytesMax) {
            let end = min(offset + StoreClient.blobPieceBytesMax, file.count)
            try await client.writeBlobImport(session, offset: UInt64(offset), data: Array(file[offset..<end]))
        }
        _ = try await client.finishBlobImport(session)
    }
}
