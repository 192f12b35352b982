import GhostTestSupport
import Glibc
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(2))) struct KeyCallTests {
    private func initialize(_ client: StoreClient, withRecoveryCode: Bool = false) async throws -> RecoveryCodeOutput? {
        try await client.initializeStore(
            secret: secretInput("first words"), label: "mine", withRecoveryCode: withRecoveryCode, lowCost: true)
    }

    @Test func `a store is created, locked, and opened again only by its passphrase`() async throws {
        try await withDaemonAndClient(.uninitialized) { _, client in
            #expect(try await client.status().storeState == .absent)
            let absent = await #expect(throws: StoreClientError.self) { _ = try await client.statistics() }
            #expect(absent?.reason == .storeAbsent)

            let code = try await initialize(client)
            let hasCode = code != nil
            #expect(!hasCode)
            #expect(try await client.status().storeState == .open)
            let exists = await #expect(throws: StoreClientError.self) { _ = try await initialize(client) }
            #expect(exists?.reason == .storeExists)

            try await client.saveMessage(NewMessage(conversation: .sessionID("05a"), text: "kept"))
            try await client.lock()
            let locked = await #expect(throws: StoreClientError.self) { _ = try await client.statistics() }
            #expect(locked?.reason == .storeLocked)
            let wrong = await #expect(throws: StoreClientError.self) {
                _ = try await client.unlock(secret: secretInput("other words"))
            }
            #expect(wrong?.code == .permissionDenied && wrong?.reason == .wrongKey)
            let slot = try await client.unlock(secret: secretInput("first words"))
            #expect(try await client.keySlots().map(\.number) == [slot])
            #expect(try await client.statistics().messageCount == 1)
        }
    }

    @Test func `after wrong passphrases the right one has to wait, and a recovery code does not`() async throws {
        try await withDaemonAndClient(.uninitialized) { _, client in
            guard let code = try await initialize(client, withRecoveryCode: true) else {
                Issue.record("no recovery code")
                return
            }
            try await client.lock()
            var lastGuess = ContinuousClock.now
            for _ in 0..<3 {
                lastGuess = .now
                let wrong = await #expect(throws: StoreClientError.self) {
                    _ = try await client.unlock(secret: secretInput("other words"))
                }
                #expect(wrong?.reason == .wrongKey)
            }
            do throws(StoreClientError) {
                _ = try await client.unlock(secret: secretInput("first words"))
                // The unlock succeeds only if the machine is so slow that the waiting time has already passed.
                #expect(ContinuousClock.now - lastGuess >= .seconds(1))
                try await client.lock()
            } catch {
                #expect(error.reason == .unlockThrottled)
            }
            _ = try await client.unlock(secret: code.secret())
            #expect(try await client.status().storeState == .open)
        }
    }

    @Test func `a passphrase that opens the store is not put into a second slot`() async throws {
        try await withDaemonAndClient(.uninitialized) { _, client in
            _ = try await initialize(client)
            let again = await #expect(throws: StoreClientError.self) {
                _ = try await client.addKeySlot(
                    authorizedBy: secretInput("first words"), new: .secret(secretInput("first words")), label: "again",
                    lowCost: true)
            }
            #expect(again?.reason == .alreadyExists)
            #expect(try await client.keySlots().count == 1)
        }
    }

    @Test func `a recovery code opens the store that was created with it`() async throws {
        try await withDaemonAndClient(.uninitialized) { _, client in
            guard let code = try await initialize(client, withRecoveryCode: true) else {
                Issue.record("no recovery code")
                return
            }
            #expect(code.count >= 26)
            try await client.lock()
            _ = try await client.unlock(secret: code.secret())
            #expect(try await client.status().storeState == .open)
            let slots = try await client.keySlots()
            #expect(slots.map(\.kind).contains(.recoveryCode) && slots.count == 2)
        }
    }

    @Test func `slots are added, listed, used and removed, except the last one that a person can use`() async throws {
        try await withDaemonAndClient(.uninitialized) { daemon, client in
            _ = try await initialize(client)
            let added = try await client.addKeySlot(
                authorizedBy: secretInput("first words"),
                new: .secret(SecretInput(kind: .keyFile, file: daemon.keyFilePath)), label: "file")
            let number = added.number
            let slots = try await client.keySlots()
            #expect(slots.first { $0.number == number }?.kind == .keyFile)
            #expect(slots.first { $0.number == number }?.label == "file")
            try await client.lock()
            let opened = try await client.unlock(secret: SecretInput(kind: .keyFile, file: daemon.keyFilePath))
            #expect(opened == number)

            let person = try #require(slots.first { $0.kind == .passphrase }).number
            let last = await #expect(throws: StoreClientError.self) {
                try await client.removeKeySlot(person, authorizedBy: secretInput("first words"))
            }
            #expect(last?.reason == .lastKeySlot)
            try await client.removeKeySlot(number, authorizedBy: secretInput("first words"))
            #expect(try await client.keySlots().map(\.number) == [person])
        }
    }

    @Test func `the code of a generated recovery code slot is returned only once`() async throws {
        try await withDaemonAndClient(.uninitialized) { _, client in
            _ = try await initialize(client)
            var added = try await client.addKeySlot(
                authorizedBy: secretInput("first words"), new: .generatedRecoveryCode, label: "paper")
            guard let code = added.takeRecoveryCode() else {
                Issue.record("no recovery code")
                return
            }
            try await client.lock()
            #expect(try await client.unlock(secret: code.secret()) == added.number)
        }
    }

    @Test func `a changed passphrase opens the store and the old one does not`() async throws {
        try await withDaemonAndClient(.uninitialized) { _, client in
            _ = try await initialize(client)
            _ = try await client.changePassphrase(
                old: secretInput("first words"), new: secretInput("second words"), lowCost: true)
            try await client.lock()
            let old = await #expect(throws: StoreClientError.self) {
                _ = try await client.unlock(secret: secretInput("first words"))
            }
            #expect(old?.reason == .wrongKey)
            _ = try await client.unlock(secret: secretInput("second words"))
        }
    }

    @Test func `a rotation of the master key keeps all data`() async throws {
        try await withDaemonAndClient { daemon, client in
            try await client.saveMessages(
                (0..<250).map { NewMessage(conversation: .sessionID("05a"), text: "\($0)") })
            let generation = try await client.rotateMasterKey()
            #expect(generation >= 1)
            #expect(try await client.statistics().messageCount == 250)
            try await daemon.restart()
            #expect(try await client.statistics().messageCount == 250)
        }
    }
}
