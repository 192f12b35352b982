import GhostTestSupport
import ReplicaTransport
import StoreClient
import TestBasics
import Testing

/// Somebody who may publish in the stream, and is no member, puts messages into the devices' channels.
@Suite(.timeLimit(.minutes(5)), .enabled(if: NatsNode.program != nil, "nats-server is not installed"))
struct ForeignMessageTests {
    private let party = ConversationReference.sessionID("05family")
    private let settings = StreamSettings(name: "family", replicas: 1)

    /// Two devices with their agents.
    private func group(over cluster: NatsCluster, _ connection: StreamConnection) async throws -> [GroupDevice] {
        let devices = [
            try await GroupDevice("one", servers: cluster.urls, stream: "family"),
            try await GroupDevice("two", servers: cluster.urls, stream: "family"),
        ]
        try await cluster.makeStream(settings, connection)
        for device in devices { try device.startAgent() }
        try await devices[0].client.createReplicaGroup(deviceName: "one", selection: ["conversations"])
        try await devices[0].letIn(devices[1])
        return devices
    }

    @Test func `messages of others in the devices' channels stop nobody`() async throws {
        let cluster = try await NatsCluster.start(nodes: 1)
        let connection = try await cluster.connect()
        let devices = try await group(over: cluster, connection)
        for round in 0..<Self.foreign.count {
            // One agent does not see it come, and begins behind it.
            if round % 3 == 1 { try await devices[round % 2].killAgent() }
            for device in devices { try await put(round, into: device, connection) }
            for (index, device) in devices.enumerated() {
                try await device.client.saveMessage(
                    NewMessage(id: "\(round) \(index)", conversation: party, text: "text"))
            }
            if round % 3 == 1 { try devices[round % 2].startAgent() }
            try await eventually("round \(round): both have everything", within: .seconds(60)) {
                try await devices.areInStep()
            }
        }
        for device in devices {
            #expect(!device.agentLog.contains("forked:"))
            #expect(!device.agentLog.contains("the daemon needs a snapshot"))
            var count = 0
            for try await _ in device.client.messages(in: party) { count += 1 }
            #expect(count == Self.foreign.count * 2)
            try await device.stop()
        }
        try await cluster.nodes[0].kill9()
    }

    @Test func `more messages of a version to come than the servers hold unsettled stop nobody`() async throws {
        let cluster = try await NatsCluster.start(nodes: 1)
        let connection = try await cluster.connect()
        let devices = try await group(over: cluster, connection)
        try await eventually("both have begun", within: .seconds(60)) { try await devices.areInStep() }
        let channel = "device.\(try await devices[0].client.replicaStatus().device)"
        let subject = settings.subject(of: channel)
        for number in 0..<2 * UInt64(FollowerLimits.unsettledMax) {
            let bytes = Array("GSRB".utf8) + [2] + Array("\(number)".utf8)
            let identity = MessageIdentity(channel: channel, sequence: 1_000 + number, bytes: bytes)
            while true {
                let last = try await connection.lastMessage(of: subject, in: settings.name)
                let outcome = try await connection.publish(
                    bytes, to: subject, as: identity, behind: last.map { .streamSequence($0.streamSequence) } ?? .none)
                if outcome != .wrongLastSequence { break }
            }
        }
        try await devices[0].client.saveMessage(NewMessage(id: "behind", conversation: party, text: "text"))
        try await eventually("what is behind them comes", within: .seconds(60)) { try await devices.areInStep() }
        for device in devices { try await device.stop() }
        try await cluster.nodes[0].kill9()
    }

    /// What is said to be its number, from the last one's, and its bytes, from those of the last one.
    private static let foreign: [@Sendable (UInt64, [UInt8]) -> (sequence: UInt64, bytes: [UInt8])] = [
        { last, _ in (last + 1, [1, 2, 3]) },
        { last, _ in (last + 1, []) },
        { last, bytes in (last + 1, bytes) },
        { last, bytes in (last + 1, bytes.dropLast() + [bytes.last.map { ~$0 } ?? 0]) },
        // The header of a later version.
        { last, bytes in (last + 1, bytes.prefix(4) + [2] + bytes.dropFirst(5)) },
        { _, bytes in (1, bytes) },
        { _, _ in (0, [4]) },
        { _, _ in (.max, [5]) },
        { last, _ in (last + 1_000, [6]) },
    ]

    private func put(_ round: Int, into device: GroupDevice, _ connection: StreamConnection) async throws {
        let channel = "device.\(try await device.client.replicaStatus().device)"
        let subject = settings.subject(of: channel)
        for _ in 0..<50 {
            let last = try await connection.lastMessage(of: subject, in: settings.name)
            let (sequence, bytes) = Self.foreign[round](
                last.map { $0.identity.sequence % (1 << 32) } ?? 0, last?.bytes ?? [])
            // With the name that the device's own next message has, as far as anybody can know it.
            let outcome = try await connection.publish(
                bytes, to: subject, as: MessageIdentity(channel: channel, sequence: sequence, bytes: bytes),
                behind: last.map { .streamSequence($0.streamSequence) } ?? .none)
            if outcome != .wrongLastSequence { return }
        }
        throw TestSupportError("the device was always faster")
    }
}
