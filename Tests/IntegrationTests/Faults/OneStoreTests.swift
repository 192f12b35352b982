import FoundationEssentials
import GhostTestSupport
import Glibc
import StoreClient
import TestBasics
import Testing

/// One store goes through every accident that can happen to stores. The data that was saved at the beginning must read
/// back equal after each step and at the end.
@Suite(.oneAtATime) struct OneStoreTests {
    @Test func `a store that goes through every accident reads back equal`() async throws {
        try await withDaemon { daemon in
            let expected = try await fill(daemon)
            try await mishaps(daemon, expected)
            try await faults(daemon, expected)
            try await administration(daemon, expected)
        }
    }

    // MARK: Steps

    /// Damages files while the daemon is stopped, and restores them after the daemon has refused to open the store.
    private func mishaps(_ daemon: TestDaemon, _ expected: Content) async throws {
        var refusals = 0
        for isKilled in [true, false] {
            let steps: [(file: String, damage: ([UInt8]) -> [UInt8]?)] = [
                ("store.db", { _ in [] }), ("store.db", { Array($0.prefix(1)) }), ("store.db", { _ in nil }),
                (
                    "store.db",
                    { Array($0.prefix(1_500)) + Array(repeating: 0, count: 548) + Array($0.dropFirst(2_048)) }
                ),
                ("keyring", { _ in nil }), ("keyring", { Array($0.prefix(40)) }),
            ]
            for step in steps {
                try await change(daemon)
                if isKilled { try await daemon.kill9() } else { try await daemon.terminate() }
                let whole = try #require(StateFiles(daemon.stateDirectory).contents[step.file])
                try put(step.damage(whole), as: step.file, daemon)
                try await daemon.startAgain()
                let client = try await daemon.connect()
                let met = try await reason { _ = try await client.conversationPage() }
                await client.close()
                // If a WAL exists, it may contain everything that the damaged file lost. Then the store may open.
                if let met {
                    #expect(["DATABASE_DAMAGED", "KEYRING_DAMAGED"].contains(met.rawValue), "\(step.file)")
                    refusals += 1
                    try await daemon.terminate()
                    try put(whole, as: step.file, daemon)
                    try await daemon.startAgain()
                }
                try await expect(expected, daemon, "after \(step.file) was damaged, killed: \(isKilled)")
            }
        }
        #expect(refusals >= 10)
    }

    /// Makes calls inside the daemon fail. The daemon ends, and the next one has all data.
    private func faults(_ daemon: TestDaemon, _ expected: Content) async throws {
        let faults = [
            Fault(function: "EVP_CipherUpdate", call: 3), Fault(function: "HMAC_Final", call: 5),
            Fault(function: "getentropy", call: 2), Fault(function: "fdatasync", call: 1),
        ]
        for fault in faults {
            try await daemon.terminate()
            let child = try await daemon.launch(with: fault)
            #expect(try await daemon.answers(child))
            try daemon.arm()
            let client = try await daemon.connect(configuration: Self.impatient)
            for number in 0..<20 where child.isRunning {
                _ = try? await client.saveMessage(NewMessage(conversation: .sessionID("05more"), text: "\(number)"))
            }
            await client.close()
            #expect(try await child.wait(within: .seconds(10)) == .exited(74), "\(fault)")
            #expect(daemon.hasFailed, "\(fault)")
            try await daemon.kill9()
            try await daemon.startAgain()
            try await expect(expected, daemon, "after \(fault)")
        }
    }

    /// Runs the administration calls that an owner makes on purpose.
    private func administration(_ daemon: TestDaemon, _ expected: Content) async throws {
        let client = try await daemon.connect()
        let backup = try await client.createBackup()
        #expect(try await client.rotateMasterKey() == 1)
        try await expect(expected, daemon, "after a rotation")
        _ = try await client.restoreBackup(
            backup.name, secret: try SecretInput(kind: .keyFile, file: daemon.keyFilePath), replaceExisting: true)
        try await expect(expected, daemon, "after a restore")
        try await client.lock()
        _ = try await client.unlock(secret: try SecretInput(kind: .keyFile, file: daemon.keyFilePath))
        try await expect(expected, daemon, "after lock and unlock")
        await client.close()
        try await daemon.restart()
        try await expect(expected, daemon, "at the end")
    }

    /// Makes a write between two accidents, in another conversation.
    private func change(_ daemon: TestDaemon) async throws {
        let client = try await daemon.connect()
        _ = try await client.saveMessage(NewMessage(conversation: .sessionID("05more"), text: "more"))
        await client.close()
    }

    private func put(_ bytes: [UInt8]?, as file: String, _ daemon: TestDaemon) throws {
        guard let bytes else {
            #expect(unlink("\(daemon.stateDirectory)/\(file)") == 0)
            return
        }
        try daemon.directory.write(bytes, to: "state/\(file)")
    }

    private static var impatient: ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.callDeadline = .seconds(2)
        return configuration
    }

    // MARK: Content

    private struct Content: Equatable {
        var messages: [String: [Message]] = [:]
        var contacts: [Contact] = []
        var values: [SceneEntry] = []
        var entries: [LogEntry] = []
    }

    /// Stores the dialogs of Tests/Fixtures, a contact for each, a scene and a log.
    private func fill(_ daemon: TestDaemon) async throws -> Content {
        let client = try await daemon.connect()
        let lines = try #require(
            FileManager.default.contents(
                atPath: BuiltPrograms.packageDirectory + "/Tests/Fixtures/dialogs-sample.jsonl"))
        for (number, line) in lines.split(separator: UInt8(ascii: "\n")).enumerated() {
            let text = String(decoding: line, as: UTF8.self)
            let session = "05dialog-\(number)"
            for turn in text.split(separator: "\"").filter({ $0.count > 2 }) {
                _ = try await client.saveMessage(
                    NewMessage(conversation: .sessionID(session), text: String(turn)))
            }
            _ = try await client.saveContact(
                ContactUpdate(sessionID: session, displayName: .set("dialog \(number)"), notes: .set(text)))
        }
        _ = try await client.setSceneValues(
            "one", (0..<50).map { SceneChange.set("key-\($0)", .string(String(repeating: "é", count: $0 * 20))) })
        _ = try await client.openLog("one", LogConfiguration(maximumBytes: 1 << 20, overwritesOldest: true))
        _ = try await client.append((0..<100).map { Array("entry \($0)".utf8) }, toLog: "one")
        await client.close()
        return try await content(daemon)
    }

    private func expect(_ expected: Content, _ daemon: TestDaemon, _ when: String) async throws {
        let found = try await content(daemon)
        #expect(found == expected, "\(when)")
        let client = try await daemon.connect()
        try await client.expectClean()
        await client.close()
    }

    private func content(_ daemon: TestDaemon) async throws -> Content {
        let client = try await daemon.connect()
        var content = Content()
        for conversation in try await client.conversationPage(limit: 1_000).conversations
        where conversation.sessionID != "05more" {
            content.messages[conversation.sessionID] = try await client.allMessages(conversation.sessionID)
        }
        content.contacts = try await client.contactPage(limit: 1_000).contacts
        content.values = try await client.sceneValues("one")
        content.entries = try await client.logEntryPage("one", limit: 1_000).entries
        await client.close()
        return content
    }
}
