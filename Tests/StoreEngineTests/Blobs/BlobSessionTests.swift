import Glibc
import Interchange
import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct BlobSessionTests {
    private static let file = BlobEncoder.encode(blobMessages(50))

    @Test func `an export shows the conversation at the moment at which the export was begun`() throws {
        let store = try TemporaryStore()
        try store.engine.importFile(Self.file, to: "alice")
        let start = try store.engine.beginExport("alice")
        let alice = ConversationReference.session(try SessionID("alice"))
        try store.engine.write(.saveMessage(NewMessage(conversation: alice, text: "later")))
        try store.engine.write(.deleteConversation(alice))
        #expect(try store.engine.piece(start.session, at: 0).data == Self.file)
    }

    /// Tests a restore that happens after the history was checked and before the first read.
    @Test func `an export or import that begins while a backup is restored fails in both stores`() throws {
        let store = try TemporaryStore()
        try store.engine.importFile(Self.file, to: "alice")
        let alice = ConversationReference.session(try SessionID("alice"))
        let backup = try store.engine.backUp().name
        let engine = store.engine
        var source = engine.blobSource
        source.makeReader = {
            _ = try? engine.restore(backup)
            return engine.makeReader()
        }
        let sessions = BlobSessions(source: source)
        let commands: [BlobCommand] = [
            .beginExport(BlobExportRequest(conversation: alice, sealing: .none)),
            .beginImport(
                BlobImportRequest(
                    conversation: alice, importID: "import", isDryRun: false, secret: nil, totalBytes: nil)),
        ]
        for command in commands {
            #expect(reason { _ = try sessions.perform(command, userID: 7) } == .historyChanged)
        }
    }

    @Test func `a dry run of an import reports the damaged byte and imports nothing`() throws {
        let store = try TemporaryStore()
        for length in [1, 3, 4, 100, Self.file.count - 1] {
            do {
                try store.engine.importFile(Array(Self.file.prefix(length)), to: "alice", isDryRun: true)
                Issue.record("a cut file was accepted")
            } catch let error as StoreError {
                #expect(error.reason == .blobDamaged)
                #expect(error.message.contains("byte \(length)"))
            }
        }
        #expect(reason { try store.engine.importFile(Self.file + [0], to: "alice", isDryRun: true) } == .blobDamaged)
        #expect(try store.engine.statistics().messageCount == 0)
    }

    @Test func `an empty file imports nothing`() throws {
        let store = try TemporaryStore()
        for isDryRun in [true, false] {
            #expect(try store.engine.importFile([], to: "alice", isDryRun: isDryRun).messageCount == 0)
        }
    }

    @Test func `a time outside of the range of microseconds is refused with its own reason`() throws {
        let store = try TemporaryStore()
        let message = BlobMessage(text: "t", isSent: true, type: .short, timestampMilliseconds: .max)
        #expect(
            reason { try store.engine.importFile(BlobEncoder.encode([message]), to: "alice") }
                == .blobTimestampOutOfRange)
    }

    @Test(
        arguments: [
            BlobSessions.Limits(idle: .milliseconds(100), lifetime: .seconds(60)),
            BlobSessions.Limits(idle: .seconds(60), lifetime: .milliseconds(100)),
        ])
    func `an unused session ends after its idle time, and a busy one after its lifetime`(limits: BlobSessions.Limits)
        throws
    {
        let store = try TemporaryStore()
        try store.engine.importFile(Self.file, to: "alice")
        let engine = store.engine
        let source = engine.blobSource
        let sessions = BlobSessions(source: source, limits: limits)
        let request = BlobExportRequest(conversation: .session(try SessionID("alice")), sealing: .none)
        guard case .exportBegun = try sessions.perform(.beginExport(request), userID: 1) else {
            Issue.record("an export begins with its start")
            return
        }
        sessions.endIdle()
        let wait = try #require(sessions.millisecondsToIdleEnd)
        #expect((1...101).contains(wait))
        let slept = ConditionLock(())
        _ = slept.wait(timeoutMilliseconds: wait) { _ in Bool?.none }
        sessions.endIdle()
        #expect(sessions.millisecondsToIdleEnd == nil)
    }

    @Test func `a session with a waiting request is not idle, but its lifetime ends`() throws {
        let store = try TemporaryStore()
        let engine = store.engine
        let source = engine.blobSource
        let request = BlobImportRequest(
            conversation: nil, importID: nil, isDryRun: true, secret: nil, totalBytes: nil)
        for (limits, survives) in [
            (BlobSessions.Limits(idle: .zero, lifetime: .seconds(60)), true),
            (BlobSessions.Limits(idle: .seconds(60), lifetime: .zero), false),
        ] {
            let sessions = BlobSessions(source: source, limits: limits)
            guard case .importBegun(let id) = try sessions.perform(.beginImport(request), userID: 1) else {
                Issue.record("an import begins with its session")
                return
            }
            sessions.endIdle(sparing: [id])
            #expect((sessions.millisecondsToIdleEnd != nil) == survives)
            sessions.endIdle()
            #expect(sessions.millisecondsToIdleEnd == nil)
        }
    }

    @Test func `a session belongs to the user who began it, and checks the order of its pieces`() throws {
        let store = try TemporaryStore()
        try store.engine.importFile(Self.file, to: "alice")
        let export = try store.engine.beginExport("alice").session
        #expect(reason { _ = try store.engine.blob(.readExport(export, offset: 0), user: 7) } == .blobSessionNotFound)
        _ = try store.engine.blob(.end(export), user: 7)
        #expect(try store.engine.piece(export, at: 0).isLast)
        #expect(reason { _ = try store.engine.piece(export, at: 0) } == .blobSessionNotFound)
        let other = try store.engine.beginExport("alice").session
        #expect(reason { _ = try store.engine.piece(other, at: 5) } == .invalidArgument)
        let running = try store.engine.beginImport("bob")
        #expect(
            reason { _ = try store.engine.blob(.writeImport(running, offset: 1, data: [0])) } == .invalidArgument)
        #expect(reason { _ = try store.engine.piece(running, at: 0) } == .blobSessionNotFound)
    }

    @Test func `one user gets half of the sessions, and an ended session makes room`()
        throws
    {
        let store = try TemporaryStore()
        var begun: [[BlobSessionID]] = []
        for user: UInt32 in 1...4 {
            var sessions: [BlobSessionID] = []
            while let session = try? store.engine.beginImport("alice", user: user) {
                sessions.append(session)
            }
            #expect(reason { _ = try store.engine.beginImport("alice", user: user) } == .tooManyBlobSessions)
            begun.append(sessions)
        }
        #expect(begun.map(\.count) == [4, 2, 1, 1])
        _ = try store.engine.blob(.end(begun[2][0]), user: 3)
        _ = try store.engine.beginImport("alice", user: 5)
    }

    @Test func `wrong passphrases slow their user down, but hardly other users and the right passphrase`() throws {
        let store = try TemporaryStore()
        try store.engine.importFile(Self.file, to: "alice")
        let seal = FileSeal.passphrase(SlotSecretBox(try TemporaryStore.passphrase("right")), lowCost: true)
        let sealed = try store.engine.export("alice", sealing: seal)
        func begin(_ passphrase: String, user: UInt32) throws -> BlobSessionID {
            try store.engine.beginImport("bob", secret: try TemporaryStore.passphrase(passphrase), user: user)
        }
        func feed(_ session: BlobSessionID, user: UInt32) throws {
            _ = try store.engine.blob(.writeImport(session, offset: 0, data: sealed), user: user)
        }
        // On a very slow machine a wait may be over before the next guess. Waits grow up to five seconds, so one of the
        // guesses is throttled.
        var refusal: StoreError?
        for guess in 1...8 where refusal == nil {
            let session = try begin("wrong", user: 1)
            let error = try #require(throws: StoreError.self) { try feed(session, user: 1) }
            #expect(error.reason == .blobSecretWrong || (guess > 3 && error.reason == .unlockThrottled))
            refusal = error.reason == .unlockThrottled ? error : nil
        }
        try feed(begin("right", user: 2), user: 2)
        let wait = try #require(refusal?.retryAfterMilliseconds)
        #expect(wait <= 5_000)
        // A piece that is sent too early is refused, but its session stays valid.
        let early = try begin("right", user: 1)
        #expect(
            try eventually {
                do {
                    try feed(early, user: 1)
                    return true
                } catch let error as StoreError where error.reason == .unlockThrottled {
                    return false
                }
            })
    }

    @Test func `locking the store ends sessions, and none begins while the store is not open`() throws {
        let store = try TemporaryStore()
        try store.engine.importFile(Self.file, to: "alice")
        let export = try store.engine.beginExport("alice").session
        let running = try store.engine.beginImport("bob")
        try store.engine.lock()
        #expect(reason { _ = try store.engine.beginExport("alice") } == .storeLocked)
        #expect(reason { _ = try store.engine.beginImport("bob") } == .storeLocked)
        _ = try store.engine.unlock(secret: TemporaryStore.keyFile())
        #expect(reason { _ = try store.engine.piece(export, at: 0) } == .blobSessionNotFound)
        #expect(reason { _ = try store.engine.blob(.finishImport(running)) } == .blobSessionNotFound)
    }

    @Test func `a rotation of the master key ends exports but not imports`() throws {
        let store = try TemporaryStore()
        try store.engine.importFile(Self.file, to: "alice")
        let export = try store.engine.beginExport("alice").session
        let running = try store.engine.beginImport("bob")
        _ = try store.engine.rotateMasterKey { _ in }
        #expect(reason { _ = try store.engine.piece(export, at: 0) } == .blobSessionNotFound)
        _ = try store.engine.blob(.writeImport(running, offset: 0, data: Self.file))
        guard case .importFinished(let report) = try store.engine.blob(.finishImport(running)) else {
            Issue.record("an import ends with its report")
            return
        }
        #expect(report.createdCount == 50)
    }

    @Test func `unknown conversations, missing names and invalid seals are refused`() throws {
        let store = try TemporaryStore()
        #expect(reason { _ = try store.engine.beginExport("nobody") } == .conversationNotFound)
        #expect(reason { _ = try store.engine.beginImport(nil) } == .invalidArgument)
        #expect(reason { _ = try store.engine.beginImport("alice", importID: nil) } == .invalidArgument)
        let long = String(repeating: "i", count: 65)
        #expect(reason { _ = try store.engine.beginImport("alice", importID: long) } == .invalidArgument)
        try store.engine.importFile(Self.file, to: "alice")
        #expect(
            reason { _ = try store.engine.beginExport("alice", sealing: .recipients(publicKeys: [[1]])) }
                == .invalidArgument)
        let unknown = BlobImportRequest(
            conversation: .id(try EntityID("none")), importID: "i", isDryRun: false, secret: nil, totalBytes: nil)
        #expect(reason { _ = try store.engine.blob(.beginImport(unknown)) } == .conversationNotFound)
    }

    @Test func `a store with a running export and import can be shut down`() throws {
        let store = try TemporaryStore()
        try store.engine.importFile(Self.file, to: "alice")
        _ = try store.engine.beginExport("alice")
        _ = try store.engine.beginImport("bob")
        try store.reopen()
        #expect(try store.engine.export("alice") == Self.file)
    }
}
