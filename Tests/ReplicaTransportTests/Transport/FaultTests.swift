import GhostTestSupport
import Glibc
import StoreBasics
import Testing

@testable import ReplicaTransport

/// Servers that fail while messages are stored. No message may be lost or duplicated, and all must be in order.
@Suite(.enabled(if: NatsNode.program != nil, "nats-server is not installed"), .timeLimit(.minutes(30)))
struct FaultTests {
    private static let channel = "device.00000000000000aa"

    @Test func `no message is lost when the leader is killed during publishing and a member is wiped`() async throws {
        let cluster = try await NatsCluster.start()
        let connection = try await cluster.connect()
        let settings = StreamSettings(name: "faults")
        try await cluster.makeStream(settings, connection)
        let leader = try #require(try await cluster.settled("faults", connection).leader)
        var writer = RepeatingWriter(connection, settings, Self.channel)
        try await writer.publish(through: 1_000) { number in
            if number == 400 { try await cluster.node(leader).kill9() }
            if number == 800 { try cluster.node(leader).start() }
        }
        try await Self.expectAll(1_000, cluster, settings, follower: "0000000000000001")
        // A server that is not the leader loses its disk. The other servers continue.
        let standing = try await cluster.settled("faults", connection)
        let victim = try #require(cluster.nodes.first { $0.name != standing.leader })
        try await victim.wipe()
        try await writer.publish(through: 1_100)
        try victim.start()
        try await cluster.settled("faults", connection)
        try await writer.publish(through: 1_200)
        // The wiped server has all messages again, so the stream survives the loss of another server.
        let other = try #require(cluster.nodes.first { $0.name != victim.name && $0.name != standing.leader })
        try await other.kill9()
        try await writer.publish(through: 1_300)
        try await Self.expectAll(1_300, cluster, settings, follower: "0000000000000002")
        // A single remaining server cannot confirm messages.
        try await cluster.node(standing.leader).kill9()
        let identity = MessageIdentity(channel: Self.channel, sequence: 1_301)
        let refused = try? await connection.publish(
            [1], to: settings.subject(of: Self.channel), as: identity, behind: writer.last)
        #expect(refused == nil || refused == .noQuorumYet)
    }

    @Test(.enabled(if: LongRuns.rounds > 0, "make replication-long"))
    func `no message is lost when servers are killed, frozen and wiped in turn for many rounds`() async throws {
        let seed = LongRuns.seed
        LongRuns.say("REPLICATION_SEED=\(seed)")
        var random = SplitMix(seed: seed)
        let cluster = try await NatsCluster.start()
        let connection = try await cluster.connect()
        let settings = StreamSettings(name: "long")
        try await cluster.makeStream(settings, connection)
        var writer = RepeatingWriter(connection, settings, Self.channel)
        for round in 1...UInt64(LongRuns.rounds) {
            try await cluster.settled("long", connection)
            let node = try #require(cluster.nodes.randomElement(using: &random))
            let (fault, at) = (Int.random(in: 0..<3, using: &random), UInt64.random(in: 10..<90, using: &random))
            try await writer.publish(through: round * 100) { number in
                if number == (round - 1) * 100 + at {
                    switch fault {
                    case 0: try await node.restart()
                    case 1: node.freeze()
                    default: try await node.wipe()
                    }
                }
            }
            if fault == 1 { node.thaw() }
            if fault == 2 { try node.start() }
        }
        try await cluster.settled("long", connection)
        try await Self.expectAll(UInt64(LongRuns.rounds) * 100, cluster, settings, follower: "0000000000000001")
    }

    /// Expects that a new follower receives all numbers once and in order.
    private static func expectAll(
        _ count: UInt64, _ cluster: NatsCluster, _ settings: StreamSettings, follower: String
    ) async throws {
        let connection = try await cluster.connect()
        let place = FollowerPlace(settings: settings, channel: channel, follower: follower)
        let following = try await repeating(within: .seconds(30)) {
            try await connection.follow(place, from: .first)
        }
        var seen: [UInt64] = []
        // The servers may not have chosen a leader for the new follower yet. Its requests are lost until then, so it
        // repeats them.
        let end = ContinuousClock.now + .seconds(30)
        while seen.count < Int(count), ContinuousClock.now < end {
            let messages = try await following.fetch(countMax: 256, bytesMax: 4 << 20, wait: .seconds(1))
            seen += messages.map(\.identity.sequence)
            try await following.acknowledgeOrDelay(messages.map { ($0, .acknowledged) })
        }
        #expect(seen == Array(1...count))
        #expect(try await following.fetch(countMax: 1, bytesMax: 4 << 20, wait: .milliseconds(300)).isEmpty)
    }
}

/// A writer that publishes numbered messages as an agent does. If it cannot know whether a message was stored, it reads
/// the last message of the stream.
struct RepeatingWriter {
    private let connection: StreamConnection
    private let settings: StreamSettings
    private let channel: String
    private(set) var last = ExpectedLast.none
    private var stored: UInt64 = 0

    init(_ connection: StreamConnection, _ settings: StreamSettings, _ channel: String) {
        self.connection = connection
        self.settings = settings
        self.channel = channel
    }

    mutating func publish(
        through end: UInt64, _ before: (UInt64) async throws -> Void = { _ in }
    ) async throws {
        let subject = settings.subject(of: channel)
        while stored < end {
            try await before(stored + 1)
            let identity = MessageIdentity(channel: channel, sequence: stored + 1)
            let (connection, last) = (connection, last)
            let outcome = try await repeating(within: .seconds(60)) {
                let outcome = try await connection.publish([1, 2, 3], to: subject, as: identity, behind: last)
                if outcome == .noQuorumYet { throw TransportError(.noQuorum, "no quorum yet") }
                return outcome
            }
            switch outcome {
            case .stored(let sequence), .duplicate(let sequence):
                self.last = .streamSequence(sequence)
                stored += 1
            case .wrongLastSequence, .noQuorumYet:
                // An earlier attempt was not confirmed, but its message was stored.
                let message = try await repeating(within: .seconds(60)) {
                    try await connection.lastMessage(of: subject, in: settings.name)
                }
                guard let message, message.identity == identity else { throw TestSupportError("\(outcome)") }
                self.last = .streamSequence(message.streamSequence)
                stored += 1
            }
        }
    }
}
