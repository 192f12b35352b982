import Glibc
import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct KeyLifecycleTests {
    func save(_ engine: StoreEngine, _ text: String = "x") throws {
        try engine.write(.saveMessage(NewMessage(conversation: .session(try SessionID("a")), text: text)))
    }

    @Test func `a lock closes the store, and an unlock brings everything back`() throws {
        let store = try TemporaryStore()
        let reader = store.engine.makeReader()
        try save(store.engine)
        #expect(try reader.conversations(ConversationQuery()).conversations.count == 1)
        try store.engine.lock()
        #expect(store.engine.state == .locked)
        #expect(throws: StoreError.self) { try reader.conversations(ConversationQuery()) }
        #expect(throws: StoreError.self) { try save(store.engine) }
        #expect(throws: StoreError.self) { try store.engine.statistics() }
        _ = try store.engine.unlock(secret: try TemporaryStore.keyFile())
        #expect(try reader.conversations(ConversationQuery()).conversations.count == 1)
        try save(store.engine)
        #expect(try store.engine.statistics().messageCount == 2)
    }

    @Test func `a wrong key has its own error and leaves the store unchanged`() throws {
        let store = try TemporaryStore()
        try save(store.engine)
        try store.reopen(with: try TemporaryStore.keyFile(8))
        guard case .failed(let error) = store.engine.state else {
            Issue.record("the store opened with a wrong key")
            return
        }
        #expect(error.reason == .wrongKey)
        _ = try store.engine.unlock(secret: try TemporaryStore.keyFile())
        #expect(try store.engine.statistics().messageCount == 1)
    }

    @Test func `init over an existing store is refused`() throws {
        let store = try TemporaryStore()
        let error = #expect(throws: StoreError.self) {
            _ = try store.engine.initialize(
                secret: try TemporaryStore.keyFile(), label: "", withRecoveryCode: false, lowCost: true)
        }
        #expect(error?.reason == .storeExists)
    }

    @Test(arguments: [ErrorReason.keyringDamaged, .databaseDamaged, .storeLocked, .storeAbsent])
    func `a change of the keys fails with the reason for which the store is not open`(expected: ErrorReason) throws {
        let store = try TemporaryStore(open: expected != .storeAbsent)
        switch expected {
        case .keyringDamaged, .databaseDamaged:
            store.engine.shutDown()
            let name = expected == .keyringDamaged ? "keyring" : "store.db"
            try TestFile.write([UInt8](repeating: 0x55, count: 8_192), to: store.statePath + "/" + name)
            try store.reopen()
        case .storeAbsent: try store.reopen()
        default: try store.engine.lock()
        }
        let engine = store.engine
        #expect(reason { _ = try engine.rotateMasterKey { _ in } } == expected)
        let added = reason {
            _ = try engine.addKeySlot(
                authorizedBy: try TemporaryStore.keyFile(), new: .generateRecoveryCode, label: "", lowCost: true)
        }
        #expect(added == expected)
        #expect(reason { try engine.removeKeySlot(authorizedBy: try TemporaryStore.keyFile(), number: 1) } == expected)
        let changed = reason {
            _ = try engine.changePassphrase(
                old: try TemporaryStore.passphrase("one"), new: try TemporaryStore.passphrase("two"), lowCost: true)
        }
        #expect(changed == expected)
    }

    @Test func `slots are added, used and removed`() throws {
        let store = try TemporaryStore()
        let slot = try store.engine.addKeySlot(
            authorizedBy: try TemporaryStore.keyFile(), new: .given(try TemporaryStore.passphrase("correct horse")),
            label: "me", lowCost: true
        ).number
        let added = try store.engine.addKeySlot(
            authorizedBy: try TemporaryStore.passphrase("correct horse"), new: .generateRecoveryCode,
            label: "paper", lowCost: true)
        guard let recovery = added.takeRecoveryCode() else {
            Issue.record("no recovery code was made")
            return
        }
        #expect(try store.engine.keySlots().count == 3)
        try store.engine.lock()
        #expect(try store.engine.unlock(secret: try SlotSecret(kind: .recoveryCode, bytes: recovery)) > slot)
        let error = #expect(throws: StoreError.self) {
            try store.engine.removeKeySlot(authorizedBy: try TemporaryStore.passphrase("wrong"), number: slot)
        }
        #expect(error?.reason == .wrongKey)
        _ = try store.engine.changePassphrase(
            old: try TemporaryStore.passphrase("correct horse"), new: try TemporaryStore.passphrase("battery"),
            lowCost: true)
        try store.engine.lock()
        #expect(throws: StoreError.self) {
            _ = try store.engine.unlock(secret: try TemporaryStore.passphrase("correct horse"))
        }
        #expect(try store.engine.unlock(secret: try TemporaryStore.passphrase("battery")) == slot)
    }

    @Test func `a rotation during writes keeps the data and the slots`() throws {
        let store = try TemporaryStore()
        _ = try store.engine.addKeySlot(
            authorizedBy: try TemporaryStore.keyFile(), new: .given(try TemporaryStore.passphrase("words")),
            label: "me", lowCost: true)
        for _ in 0..<20 {
            try store.engine.write(
                .saveMessages(
                    (0..<250).map { NewMessage(conversation: .session(try SessionID("a")), text: "message \($0)") }))
        }
        let reader = store.engine.makeReader()
        _ = try reader.conversations(ConversationQuery())
        let before = try #require(readSalt(store.path))
        let engine = store.engine
        let writer = try StoreThread(name: "test-writer") {
            for _ in 0..<200 { try? self.save(engine) }
        }
        #expect(try engine.rotateMasterKey { _ in } == 1)
        writer.join()
        let after = try #require(readSalt(store.path))
        #expect(after != before)
        #expect(try engine.statistics().messageCount == 5_200)
        #expect(try reader.conversations(ConversationQuery()).conversations.first?.messageCount == 5_200)
        #expect(try expectClean(engine) == [])
        try store.reopen()
        #expect(try store.engine.statistics().messageCount == 5_200)
        try store.engine.lock()
        _ = try store.engine.unlock(secret: try TemporaryStore.passphrase("words"))
        #expect(try expectClean(store.engine) == [])
    }

    /// Returns SQLCipher's salt, the first 16 bytes of the database.
    private func readSalt(_ path: String) -> [UInt8]? {
        let descriptor = Glibc.open(path + "/state/store.db", O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var salt = [UInt8](repeating: 0, count: 16)
        return read(descriptor, &salt, 16) == 16 ? salt : nil
    }

    @Test func `a second engine on the same directory is refused`() throws {
        let store = try TemporaryStore()
        let error = #expect(throws: StoreError.self) { _ = try TemporaryStore.engine(store.path) }
        #expect(error?.reason == .storeBusy)
    }

    @Test func `idle time locks the store`() throws {
        let directory = try TemporaryDirectory()
        let engine = try TemporaryStore.engine(directory.path, autoLockAfterSeconds: 1)
        _ = try engine.initialize(
            secret: try TemporaryStore.keyFile(), label: "", withRecoveryCode: false, lowCost: true)
        #expect(engine.state == .open)
        #expect(eventually { engine.state == .locked })
        engine.shutDown()
    }
}
