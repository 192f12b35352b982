import GhostTestSupport
import ReplicaTransport
import StoreClient
import TestBasics
import Testing

/// An attacker outside of the group, who has the right to publish in the stream, puts messages into the devices'
/// channels.
@Suite(.timeLimit(.minutes(5)), .enabled(if: NatsNode.program != nil, "nats-server is not installed"))
struct ForeignMessageTests {
    private let settings = StreamSettings(name: "family", replicas: 1)

    @Test func `foreign messages in the devices' channels stop no device`() async throws {
        try await SmallGroup.with(devices: 2) { group in
            let connection = try await group.cluster.connect()
            var saved = ["before"]
            for round in 0..<Self.foreign.count {
                // In one of three rounds, one agent is stopped before the message arrives, and starts afterwards.
                let away = round % 3 == 1 ? group.devices[round % 2] : nil
                try await away?.killAgent()
                for device in group.devices { try await put(round, into: device, connection) }
                for index in group.devices.indices {
                    saved.append("\(round) \(index)")
                    try await group.save(index, saved[saved.count - 1])
                }
                try away?.startAgent()
                try await eventually("round \(round): both have everything", within: .seconds(60)) {
                    try await group.devices.areInStep()
                }
            }
            try await group.expectAll(saved)
            for device in group.devices {
                #expect(!device.agentLog.contains("forked:"))
                #expect(!device.agentLog.contains("the store needs a snapshot"))
            }
        }
    }

    @Test func `more messages of a later version than may be unacknowledged stop no device`() async throws {
        try await SmallGroup.with(devices: 2) { group in
            let connection = try await group.cluster.connect()
            try await eventually("both have begun", within: .seconds(60)) { try await group.devices.areInStep() }
            let channel = "device.\(try await group.client(0).replicaStatus().device)"
            for number in 0..<2 * UInt64(FollowerLimits.unacknowledgedMax) {
                let bytes = Array("GSRB".utf8) + [255] + Array("\(number)".utf8)
                try await publish(in: channel, connection) { _ in (1_000 + number, bytes) }
            }
            try await group.save(0, "behind")
            try await group.expectAll(["before", "behind"])
        }
    }

    /// Functions that forge a message. Each takes the number and the bytes of the channel's last message, and returns
    /// the number and the bytes of the forged one.
    private static let foreign: [@Sendable (UInt64, [UInt8]) -> (sequence: UInt64, bytes: [UInt8])] = [
        { last, _ in (last + 1, [1, 2, 3]) },
        { last, _ in (last + 1, []) },
        { last, bytes in (last + 1, bytes) },
        { last, bytes in (last + 1, bytes.dropLast() + [bytes.last.map { ~$0 } ?? 0]) },
        // A header with an earlier version number.
        { last, bytes in (last + 1, bytes.prefix(4) + [2] + bytes.dropFirst(5)) },
        // A header with the version number of a later ghoststore.
        { last, bytes in (last + 1, bytes.prefix(4) + [255] + bytes.dropFirst(5)) },
        { _, bytes in (1, bytes) },
        { _, _ in (0, [4]) },
        { _, _ in (.max, [5]) },
        { last, _ in (last + 1_000, [6]) },
    ]

    private func put(_ round: Int, into device: GroupDevice, _ connection: StreamConnection) async throws {
        let channel = "device.\(try await device.client.replicaStatus().device)"
        // The message has the name of the device's own next message, as far as an attacker can guess it.
        try await publish(in: channel, connection) { last in
            Self.foreign[round](last.map { $0.identity.sequence % (1 << 32) } ?? 0, last?.bytes ?? [])
        }
    }

    /// Publishes after the last message of a channel. Tries again if the device publishes in between.
    private func publish(
        in channel: String, _ connection: StreamConnection,
        _ message: (StreamMessage?) -> (sequence: UInt64, bytes: [UInt8])
    ) async throws {
        let subject = settings.subject(of: channel)
        for _ in 0..<50 {
            let last = try await connection.lastMessage(of: subject, in: settings.name)
            let (sequence, bytes) = message(last)
            let outcome = try await connection.publish(
                bytes, to: subject, as: MessageIdentity(channel: channel, sequence: sequence, bytes: bytes),
                behind: last.map { .streamSequence($0.streamSequence) } ?? .none)
            if outcome != .wrongLastSequence { return }
        }
        throw TestSupportError("the device was always faster")
    }
}
