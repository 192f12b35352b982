import ReplicaModel
import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that a request of replication which fails at any statement leaves the store unchanged, including its
/// positions, keys and incoming contents. The same request must succeed afterwards.
@Suite struct FailedReplicaWriteTests {
    private static let seeds: [UInt64] = TestTier.cases([3], long: Array(3..<15))

    private func expectEqual(_ agent: FailingAgent, _ what: Comment) throws {
        #expect(agent.findings.prefix(20) == [], what)
        let fleet = agent.fleet
        let content = try fleet.content(0)
        for (index, device) in fleet.devices.enumerated() {
            #expect(try fleet.content(index) == content, what)
            try device.engine.waitForCleaning()
            #expect(try expectClean(device.engine) == [], what)
            // The files are counted before the engine starts again, because a start removes files without a row.
            let files = try TestFile.all(below: device.store.statePath + "/vault").count
            #expect(try device.engine.rowCount(of: "file_contents WHERE id IS NOT NULL") == files, what)
        }
    }

    @Test(arguments: seeds) func `batches that fail at any statement are accepted and merged afterwards`(
        _ seed: UInt64
    ) throws {
        let fleet = try ReplicaFleet(deviceCount: 2, seed: seed, kinds: RandomEdits.Kind.allCases)
        let agent = FailingAgent(fleet)
        for round in 0..<TestTier.count(1, long: 4) {
            try fleet.devices[round % 2].edits.make(TestTier.count(25, long: 40))
            try saveLarge(fleet.devices[round % 2].engine, "large-\(round)")
            try agent.settle()
        }
        #expect(agent.failureCount > 50)
        try expectEqual(agent, "seed \(seed)")
    }

    /// Saves a message with a content of several pieces.
    private func saveLarge(_ engine: StoreEngine, _ id: String) throws {
        let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 >> 8) }
        try engine.writeAttachment(bytes)
        let ann = ConversationReference.session(SessionID(trusted: "ann"))
        let message = NewMessage(
            id: try EntityID(id), conversation: ann, text: id, attachments: [try AttachmentStore.known(bytes)])
        try engine.write(.saveMessage(message))
    }

    @Test func `a group that is created, joined and left with failures at any statement works like any other`() throws {
        let fleet = try ReplicaFleet(deviceCount: 1, seed: 1, kinds: [.message, .value, .draft])
        try fleet.devices[0].engine.leaveReplicaGroup()
        try fleet.addStore()
        let agent = FailingAgent(fleet)
        try fleet.devices[0].edits.make(5)
        try fleet.devices[1].edits.make(5)
        let name = try ReplicaDeviceName("name")
        guard case .device(let first) = try agent.perform(0, { .create(deviceName: name, .everything) }) else { return }
        fleet.devices[0].number = first
        let code = try RecoveryCode.generate().withUnsafeBytes { Array($0) }
        // Each try needs another copy of the code, because a code can be used only once.
        let copy: @Sendable () throws -> ReplicaInvitationCode = {
            ReplicaInvitationCode(try SecretBytes(copying: code))
        }
        try agent.perform(0) { .invite(try copy(), validForMicroseconds: 3_600_000_000) }
        guard case .device(let second) = try agent.perform(1, { .join(try copy(), deviceName: name) }) else { return }
        fleet.devices[1].number = second
        try agent.settle()
        #expect(try fleet.status(1).state == .member)
        try fleet.devices[1].edits.make(5)
        try agent.settle()
        try expectEqual(agent, "joined")
        try agent.perform(0) { .removeDevice(second) }
        try agent.settle()
        #expect(try fleet.status(1).state == .removed)
        try agent.perform(1) { .leave }
        try expectEqual(agent, "left")
        #expect(agent.failureCount > 50)
    }

    /// Checks that an invitation may be performed twice. After the failure of another request the batch of writes
    /// starts again, and with it the invitation.
    @Test func `an invitation that shares a batch with a failing request is created`() throws {
        let fleet = try ReplicaFleet(deviceCount: 1, seed: 1, kinds: [])
        let answers = try WriterInHand.with(fleet.devices[0].engine) { hand in
            try [1, 2, 3, 4, 5, 1_000].map { number in
                // A batch ends when its time is over. On a busy machine that may be before the second request, so the
                // test tries again.
                var attempt = 0
                while true {
                    attempt += 1
                    let code = ReplicaInvitationCode(try RecoveryCode.generate())
                    // Each attempt saves another value. To save the value that the key already has takes fewer
                    // statements.
                    let value = [UInt8(number % 256), UInt8(attempt)]
                    let change = SceneChange(key: SceneKey(trusted: "key"), value: value)
                    let set = Mutation.setSceneValues(.sceneOnly(SceneName(trusted: "scene")), [change], conditions: [])
                    let key = try IdempotencyKey("key of \(number), \(attempt)")
                    let invite = Mutation.replica(.invite(code, validForMicroseconds: 3_600_000_000))
                    let answers = hand.perform([(invite, nil), (set, key)], .behindKey(number))
                    if hand.transactionCount == 1 || attempt == 500 { return answers }
                }
            }
        }
        for answer in answers {
            guard case .success(.replica(.invited)) = answer[0] else {
                Issue.record("the invitation was answered by \(answer[0])")
                continue
            }
        }
        // The second request of each batch has failed, except in the last batch: the request has fewer than 1,000
        // statements, so none of them was interrupted.
        let failed = answers.filter { if case .failure = $0[1] { true } else { false } }
        #expect(failed.count == answers.count - 1)
    }
}
