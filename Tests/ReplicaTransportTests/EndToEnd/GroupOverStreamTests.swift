import GhostTestSupport
import ReplicaTransport
import StoreClient
import TestBasics
import Testing

/// Real daemons, each with its agent, and one real server between them.
@Suite(
    .timeLimit(.minutes(5)), .enabled(if: NatsNode.program != nil, "nats-server is not installed"))
struct GroupOverStreamTests {
    @Test func `three stores get the same content although an agent and the server are killed`() async throws {
        try await SmallGroup.with(devices: 3) { group in
            #expect(try await group.held(2) == ["before"])
            let rounds = TestTier.count(24, long: 60)
            for round in 0..<rounds {
                for device in 0..<3 {
                    try await group.save(device, "\(device) \(round)")
                }
                if round == rounds / 3 { try await group.devices[1].killAgent() }
                if round == rounds / 2 { try await group.cluster.nodes[0].kill9() }
                if round == rounds * 2 / 3 {
                    try group.devices[1].startAgent()
                    try await group.cluster.nodes[0].restart()
                }
            }
            try await group.client(0).deleteMessages(["before"])
            try await group.expectAll((0..<rounds).flatMap { round in (0..<3).map { "\($0) \(round)" } })
            let status = try await group.client(0).replicaStatus()
            #expect(status.devices.allSatisfy { $0.fault == nil })
            #expect(Set(status.devices.map(\.name)) == ["two", "three"])
        }
    }

    @Test func `a stream that was deleted is created again, and unpublished changes reach all stores`() async throws {
        try await SmallGroup.with(devices: 3) { group in
            try await group.save(0, "stored")
            try await group.expectAll(["before", "stored"])
            // One device misses the messages that are lost with the stream, and changes something itself.
            try await group.devices[2].killAgent()
            for number in 0..<5 {
                try await group.save(0, "lost \(number)")
            }
            let lost = (0..<5).map { "lost \($0)" }
            try await group.expectAll(["before", "stored"] + lost, on: 0..<2)
            try await group.cluster.nodes[0].wipe()
            try await group.save(2, "own")
            try await group.save(1, "behind")
            try await group.cluster.nodes[0].restart()
            try group.devices[2].startAgent()
            try await group.expectAll(["before", "stored", "own", "behind"] + lost, on: 0..<2)
            // A device learns of missing messages from the next change of the device that sent them.
            try await group.save(0, "next")
            try await group.expectAll(["before", "stored", "own", "behind", "next"] + lost)
            for device in 0..<3 {
                #expect(try await group.client(device).replicaStatus().devices.allSatisfy { $0.fault == nil })
            }
        }
    }

    @Test(.enabled(if: LongRuns.rounds > 0, "no stream keeps messages for less than two minutes"))
    func `a device that was away until messages expired gets everything and keeps its own changes`() async throws {
        try await SmallGroup.with(devices: 2) { group in
            try await group.save(0, "stored")
            try await group.expectAll(["before", "stored"])
            let connection = try await group.cluster.connect()
            var settings = StreamSettings(name: "family", replicas: 1)
            settings.ageMax = settings.duplicateWindow
            _ = try await connection.prepareStream(settings, adjusts: true)
            try await group.devices[1].killAgent()
            try await group.save(0, "aged")
            try await group.client(0).deleteMessages(["stored"])
            try await group.save(1, "own")
            try await eventually("all is published", within: .seconds(20)) {
                try await group.client(0).replicaStatus().waitingCount == 0
            }
            try await eventually("all has left the stream", within: .seconds(180)) {
                try await connection.standing(of: "family").messages == 0
            }
            await connection.close()
            try await group.save(0, "next")
            try group.devices[1].startAgent()
            try await group.expectAll(["before", "aged", "own", "next"])
        }
    }

    @Test func `a removed device receives nothing more, and its later changes are not accepted`() async throws {
        try await SmallGroup.with(devices: 3) { group in
            try await group.expectAll(["before"])
            let removed = try await group.client(2).replicaStatus().device
            try await group.devices[2].killAgent()
            try await group.save(2, "of the removed")
            try await group.client(0).removeReplicaDevice(removed)
            try await group.save(0, "behind")
            try await group.expectAll(["before", "behind"], on: 0..<2)
            try group.devices[2].startAgent()
            try await eventually("the device learns of it", within: .seconds(60)) {
                try await group.client(2).replicaStatus().state == .removed
            }
            try await group.save(1, "last")
            try await group.expectAll(["before", "behind", "last"], on: 0..<2)
            #expect(try await group.held(2) == ["before", "of the removed"])
        }
    }
}
