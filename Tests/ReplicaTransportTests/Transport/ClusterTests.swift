import GhostTestSupport
import Glibc
import StoreBasics
import Testing

@testable import ReplicaTransport

@Suite(.enabled(if: NatsNode.program != nil, "nats-server is not installed"), .timeLimit(.minutes(5)))
struct ClusterTests {
    /// One cluster serves all checks that only need a working cluster, because starting it takes seconds.
    @Test func `a cluster stores, refuses, delivers and redelivers messages`() async throws {
        let cluster = try await NatsCluster.start()
        let connection = try await cluster.connect()
        let settings = StreamSettings(name: "group")
        #expect(try await cluster.makeStream(settings, connection) == .made)
        try await expectPublishing(connection, settings)
        try await expectFollowing(cluster, connection, settings)
        try await expectBounds(connection, settings)
        await connection.close()
        #expect(connection.state == .closed)
        await #expect(throws: TransportError.self) { try await connection.standing(of: "group") }
    }

    private func expectPublishing(_ connection: StreamConnection, _ settings: StreamSettings) async throws {
        let channel = "device.0000000000000001"
        let subject = settings.subject(of: channel)
        #expect(try await connection.lastMessage(of: subject, in: "group") == nil)
        let first = MessageIdentity(channel: channel, sequence: 1)
        let stored = try await connection.publish([1, 2], to: subject, as: first, behind: .none)
        #expect(stored == .stored(streamSequence: 1))
        #expect(
            try await connection.publish([1, 2], to: subject, as: first, behind: .none)
                == .duplicate(streamSequence: 1))
        let second = MessageIdentity(channel: channel, sequence: 2)
        #expect(try await connection.publish([3], to: subject, as: second, behind: .none) == .wrongLastSequence)
        #expect(
            try await connection.publish([3], to: subject, as: second, behind: .streamSequence(7))
                == .wrongLastSequence)
        #expect(
            try await connection.publish([3], to: subject, as: second, behind: .streamSequence(1))
                == .stored(streamSequence: 2))
        let last = try #require(try await connection.lastMessage(of: subject, in: "group"))
        #expect(last == StreamMessage(streamSequence: 2, identity: second, bytes: [3]))
        let error = await #expect(throws: TransportError.self) {
            try await connection.publish(
                [UInt8](repeating: 1, count: 2 << 20), to: subject, as: MessageIdentity(channel: channel, sequence: 3),
                behind: .streamSequence(2))
        }
        #expect(error?.code == .tooLarge)
    }

    private func expectFollowing(
        _ cluster: NatsCluster, _ connection: StreamConnection, _ settings: StreamSettings
    ) async throws {
        let channel = "device.0000000000000001"
        let place = FollowerPlace(settings: settings, channel: channel, follower: "0000000000000002")
        #expect(place.name == "0000000000000002-device_0000000000000001")
        let lost = try await connection.follow(place, from: .first)
        let one = try await lost.fetch(countMax: 1, bytesMax: 2 << 20, wait: .seconds(5))
        #expect(one.map(\.bytes) == [[1, 2]])
        #expect(one.first?.pending == 1)
        try await lost.acknowledgeOrDelay(one.map { ($0, .acknowledged) })
        let two = try await lost.fetch(countMax: 10, bytesMax: 2 << 20, wait: .seconds(5))
        #expect(two.map(\.identity) == [MessageIdentity(channel: channel, sequence: 2)])
        #expect(try await lost.fetch(countMax: 10, bytesMax: 2 << 20, wait: .milliseconds(200)).isEmpty)
        try await lost.acknowledgeOrDelay(two.map { ($0, .later(.milliseconds(300))) })
        // A follower on a second connection, as in another process, continues after the last acknowledged message.
        let other = try await cluster.connect()
        let again = try await other.follow(place, from: .first)
        let redelivered = try await again.fetch(countMax: 10, bytesMax: 2 << 20, wait: .seconds(10))
        #expect(redelivered.map(\.bytes) == [[3]])
        #expect(redelivered.first?.deliveries == 2)
        try await again.acknowledgeOrDelay(redelivered.map { ($0, .acknowledged) })
        #expect(try await again.fetch(countMax: 10, bytesMax: 2 << 20, wait: .milliseconds(200)).isEmpty)
        try await again.checkPlace()
        let moved = try await other.follow(place, from: .streamSequence(2), moves: true)
        #expect(try await moved.fetch(countMax: 10, bytesMax: 2 << 20, wait: .seconds(5)).map(\.bytes) == [[3]])
        try await other.forget(place)
        let error = await #expect(throws: TransportError.self) { try await moved.checkPlace() }
        #expect(error?.code == .followerMissing)
    }

    private func expectBounds(_ connection: StreamConnection, _ settings: StreamSettings) async throws {
        let channels = ["snapshot.a", "snapshot.b"]
        var last: [String: UInt64] = [:]
        for number in UInt64(5)...24 {
            for channel in channels {
                let outcome = try await connection.publish(
                    [UInt8(number)], to: settings.subject(of: channel),
                    as: MessageIdentity(channel: channel, sequence: number),
                    behind: last[channel].map { .streamSequence($0) } ?? .none)
                guard case .stored(let sequence) = outcome else { throw TestSupportError("\(outcome)") }
                last[channel] = sequence
            }
        }
        let subject = settings.subject(of: "snapshot.b")
        let bounds = try #require(try await connection.bounds(of: subject, in: "group"))
        #expect(bounds.first.identity.sequence == 5 && bounds.last.identity.sequence == 24)
        for wanted in UInt64(1)...24 {
            let found = try await connection.find(wanted, of: subject, in: "group")
            #expect(found?.identity == MessageIdentity(channel: "snapshot.b", sequence: max(5, wanted)))
        }
        #expect(try await connection.find(25, of: subject, in: "group") == nil)
        #expect(try await connection.bounds(of: settings.subject(of: "ask.1"), in: "group") == nil)
    }
}
