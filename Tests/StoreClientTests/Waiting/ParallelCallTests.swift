import GhostTestSupport
import StoreClient
import Testing

/// Many tasks call each writing method at the same time, with small and large arguments, and every call succeeds.
@Suite(.timeLimit(.minutes(5))) struct ParallelCallTests {
    @Test func `every call is tried or listed as left out`() throws {
        let tries = ParallelEntityTries.all + ParallelFileTries.all + ParallelSessionTries.all
        let (forgotten, unknown) = try ParallelCalls.differences(
            in: ["StoreClient/Calls", "StoreClient/Generated", "StoreClient/Watching"],
            tried: tries.map(\.name), leftOut: Self.reads + Self.administration + Self.ofSessions + Self.ofAgents)
        #expect(forgotten == [], "try it in many tasks, or name it")
        #expect(unknown == [])
    }

    @Test func `many tasks save messages, contacts, scenes and logs at the same time`() async throws {
        try await withDaemonAndClient(configuration: ParallelCalls.configuration) { _, client in
            for attempt in ParallelEntityTries.all {
                #expect(await attempt.failures(client) == [:], "\(attempt.name)")
            }
        }
    }

    @Test func `many tasks write files of any size at the same time, and each append is stored once`() async throws {
        try await withDaemonAndClient(configuration: ParallelCalls.configuration) { _, client in
            for attempt in ParallelFileTries.all {
                #expect(await attempt.failures(client) == [:], "\(attempt.name)")
            }
            let few = try await client.readFile(at: ParallelFileTries.few)
            #expect(few.sorted() == (0..<ParallelCalls.taskCount).map { UInt8($0) })
            let many = try await client.readFile(at: ParallelFileTries.many)
            let counts = many.reduce(into: [:]) { counts, byte in counts[byte, default: 0] += 1 }
            for number in 0..<ParallelCalls.taskCount {
                #expect(counts[UInt8(number)] == ParallelFileTries.piece(number).count)
            }
        }
    }

    @Test func `many tasks export, import and archive at the same time`() async throws {
        try await withDaemonAndClient(.allowingLowCost, configuration: ParallelCalls.configuration) { _, client in
            try await client.saveMessage(NewMessage(conversation: .sessionID("05a"), text: "first"))
            for attempt in ParallelSessionTries.all {
                let failures = await attempt.failures(client)
                #expect(failures == [:], "\(attempt.name)")
            }
        }
    }

    /// The clients represent several programs of one user, which share the limits of that user.
    @Test func `the tasks of several clients save large files at the same time`() async throws {
        try await withDaemon { daemon in
            let save = ParallelTry<[StoreClient]>("saveFile") { clients, number in
                let client = clients[number % clients.count]
                try await client.saveFile(ParallelFileTries.large, at: VaultPath(.cache, "f\(number)"))
            }
            var clients: [StoreClient] = []
            for _ in 0..<8 {
                clients.append(try await daemon.connect())
            }
            #expect(await save.failures(clients) == [:])
        }
    }

    private static let reads = [
        "attachmentPage", "attachmentPiece", "attachmentUsage", "backups", "changePage", "checkStore", "configuredKey",
        "connectedClients", "contact", "contactPage", "conversation", "conversationMemberPage", "conversationPage",
        "draft", "draftPage", "filePiece", "globalSceneEntryPage",
        "globalSceneValues", "hello", "keySlots", "log", "logEntryPage", "logEntryPageOfAllDevices", "logPage",
        "lostEditPage", "message", "messagePage",
        "metrics", "newMessages", "ping", "previewUpdate", "reactionPage", "readAttachment", "readBackup", "readFile",
        "replicaStatus",
        "sceneEntryPage", "scenePage", "sceneValues", "searchContactPage", "searchConversationPage",
        "searchMessagePage", "statistics", "status", "vaultItem", "vaultItemPage", "vaultUsage", "verifyBackup",
        "watch",
    ]

    /// Calls that a person or a schedule makes, one at a time.
    private static let administration = [
        "addKeySlot", "beginBackupUpload", "changePassphrase", "clearAllData", "createBackup",
        "createReplicaGroup", "deleteBackup", "dismissLostEdit", "initializeStore", "inviteReplicaDevice",
        "joinReplicaGroup", "leaveReplicaGroup", "lock", "rebuildSearchIndex", "removeKeySlot",
        "removeReplicaDevice", "restoreBackup", "rotateMasterKey", "unlock", "writeBackup",
    ]

    /// Calls that belong to a session. They have no `ParallelTry` of their own: the one for the call that begins the
    /// session also makes them.
    private static let ofSessions = [
        "endArchiveSession", "endBlobSession", "finish", "finishArchiveRestore", "finishAttachment",
        "finishBlobImport", "readArchive", "readBlobExport", "write", "writeArchiveRestore", "writeBlobImport",
    ]

    /// Calls that only ghoststore-sync makes.
    private static let ofAgents = ["takeReplicaMessages", "handInReplicaMessage"]
}
