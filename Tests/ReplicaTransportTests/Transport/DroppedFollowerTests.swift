import ReplicaTransport
import TestBasics
import Testing

/// Followers that are released while messages for them arrive. The library used to crash then (nats.c issue 637).
@Suite(.enabled(if: NatsNode.program != nil, "nats-server is not installed"), .timeLimit(.minutes(10)))
struct DroppedFollowerTests {
    @Test func `releasing followers while their messages arrive does not crash the process`() async {
        await #expect(processExitsWith: .success) {
            let cluster = try await NatsCluster.start(nodes: 1)
            let connection = try await cluster.connect()
            let settings = StreamSettings(name: "dropped", replicas: 1)
            try await cluster.makeStream(settings, connection)
            let channel = "device.00000000000000aa"
            // Copying a large message takes the library's reading thread long enough for the release to happen
            // meanwhile.
            _ = try await connection.publish(
                [UInt8](repeating: 7, count: 1_000_000), to: settings.subject(of: channel),
                as: MessageIdentity(channel: channel, sequence: 1), behind: .none)
            try await withThrowingTaskGroup { tasks in
                for number in 0..<8 {
                    tasks.addTask {
                        let place = FollowerPlace(settings: settings, channel: channel, follower: "\(number)")
                        for _ in 0..<TestTier.count(30, long: 100) {
                            let follower = try await connection.follow(place, from: .first, moves: true)
                            _ = try await follower.fetch(
                                countMax: 1, bytesMax: 2 << 20, wait: .microseconds(Int64.random(in: 200...2_000)))
                        }
                    }
                }
                try await tasks.waitForAll()
            }
            await connection.close()
            for node in cluster.nodes {
                try await node.kill9()
            }
        }
    }
}
