import ReplicaModel
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests events in the group between two steps in which a long batch is merged.
@Suite struct ReplicaInterruptionTests {
    private static let count = 3_000
    private let fleet: ReplicaFleet
    private let puppet: ReplicaPuppet
    private let batch: [UInt8]

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 2, seed: 1, kinds: [])
        puppet = try ReplicaPuppet(fleet)
        let stamp = ReplicaStamp(time: HybridClock.time(atMilliseconds: 1_600_000_000_000), device: puppet.number)
        let value = WholeSceneValue(
            key: SceneKey(trusted: "key"), value: [7], updatedAt: Timestamp(microseconds: 1)
        ).body
        batch = try puppet.batch(
            (0..<Self.count).map { number in
                .thing(
                    ThingRecord(
                        name: ThingName(.sceneValue, "scene", "key-\(number)"),
                        fields: [FieldRecord(field: .value, stamp: stamp, value: value)]))
            })
        fleet.log.append(.device(puppet.number), 1, batch)
    }

    private var engine: StoreEngine { fleet.devices[0].engine }

    private func valueCount() throws -> Int { try engine.rowCount(of: "scene_values") }

    /// Hands the batch in. Calls `meanwhile` when a part of the batch is merged.
    private func handIn(meanwhile: () throws -> Void) throws -> ReplicaHandedIn? {
        let outcome = OneShot<Result<MutationResult, StoreError>>()
        let message = ReplicaMessage(channel: .device(puppet.number), bytes: batch, isOldestKept: false)
        // The agent and the administrator are different users for the writer, so they take turns.
        let agent = WorkOwner(userID: 7, connection: 7)
        engine.submit(WriteRequest(.replica(.handIn(message)), owner: agent)) { outcome.set($0) }
        #expect(eventually { (try? valueCount()).map { $0 > 0 } ?? false })
        #expect(try valueCount() < Self.count)
        try meanwhile()
        guard case .replica(.handedIn(let handedIn)) = try outcome.wait().get() else { return nil }
        return handedIn
    }

    @Test func `a batch of a device that is removed during the merge counts completely, on all devices`() throws {
        func removedThrough() throws -> UInt64? {
            try fleet.status(0).devices.first { $0.device == puppet.number }?.removedThrough
        }
        let outcome = try handIn {
            try engine.removeReplicaDevice(puppet.number)
            #expect(try removedThrough() == 0)
        }
        #expect(outcome == .merged(nextSequence: 2))
        #expect(try removedThrough() == 1)
        try fleet.settle()
        #expect(try valueCount() == Self.count)
        #expect(try fleet.content(0) == fleet.content(1))
    }

    @Test func `the merge of a batch stops when the store has left for another group`() throws {
        do {
            let outcome = try handIn {
                try engine.leaveReplicaGroup()
                _ = try engine.createReplicaGroup(deviceName: ReplicaDeviceName("other"), selection: .everything)
            }
            #expect(outcome == .refused(.otherGroup))
        } catch let error as StoreError {
            // A part of the batch was merged between the two calls, when the store was in no group.
            #expect(error.reason == .replicaGroupAbsent)
        }
        #expect(try valueCount() < Self.count)
        #expect(try fleet.status(0).devices.isEmpty)
        #expect(try expectClean(engine) == [])
    }
}
