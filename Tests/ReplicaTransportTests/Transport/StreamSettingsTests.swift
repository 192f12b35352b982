import GhostTestSupport
import TestBasics
import Testing

@testable import ReplicaTransport

/// Tests of a server's errors and settings, for which one server is enough.
@Suite(.enabled(if: NatsNode.program != nil, "nats-server is not installed"), .timeLimit(.minutes(2)))
struct StreamSettingsTests {
    private static func settings(_ change: (inout StreamSettings) -> Void = { _ in }) -> StreamSettings {
        var settings = StreamSettings(name: "group", replicas: 1)
        change(&settings)
        return settings
    }

    @Test func `a stream is created once, and its limits change only on request`() async throws {
        let cluster = try await NatsCluster.start(nodes: 1)
        let connection = try await cluster.connect()
        let missing = await #expect(throws: TransportError.self) { try await connection.standing(of: "group") }
        #expect(missing?.code == .streamMissing)
        #expect(try await cluster.makeStream(Self.settings(), connection) == .made)
        #expect(try await connection.prepareStream(Self.settings()) == .there([]))
        let other = Self.settings {
            $0.messageBytesMax = 1 << 19
            $0.bytesMax = 1 << 20
            $0.ageMax = .seconds(86_400)
            $0.duplicateWindow = .seconds(300)
        }
        guard case .there(let differences) = try await connection.prepareStream(other) else {
            throw TestSupportError("the stream was changed")
        }
        #expect(Set(differences.map(\.setting)) == [.messageBytesMax, .bytesMax, .ageMax, .duplicateWindow])
        #expect(try await connection.prepareStream(other, adjusts: true) == .changed(differences))
        #expect(try await connection.prepareStream(other) == .there([]))
        try await Self.expectFull(connection, other)
    }

    @Test func `mistakes in a stream's settings are explained in words`() async throws {
        let cluster = try await NatsCluster.start(nodes: 1)
        let connection = try await cluster.connect()
        let gone = await #expect(throws: TransportError.self) { try await connection.standing(of: "group") }
        #expect(gone?.message.contains("the stream does not exist any more") == true, "\(gone?.message ?? "")")
        let few = await #expect(throws: TransportError.self) {
            try await connection.prepareStream(Self.settings { $0.replicas = 3 })
        }
        #expect(few?.message.contains("fewer servers than stream.replicas") == true, "\(few?.message ?? "")")
        let refused = await #expect(throws: TransportError.self) {
            try await connection.prepareStream(
                Self.settings {
                    $0.ageMax = .seconds(60)
                    $0.duplicateWindow = .seconds(300)
                })
        }
        #expect(refused?.code == .configuration)
        #expect(refused?.message.contains("configuration: duplicate") == true, "\(refused?.message ?? "")")
    }

    /// Expects that a full stream returns an error and keeps its messages.
    private static func expectFull(_ connection: StreamConnection, _ settings: StreamSettings) async throws {
        let subject = settings.subject(of: "device.1")
        var last = ExpectedLast.none
        var error: TransportError?
        for sequence in UInt64(1)...8 where error == nil {
            do {
                let outcome = try await connection.publish(
                    [UInt8](repeating: 7, count: 300_000), to: subject,
                    as: MessageIdentity(channel: "device.1", sequence: sequence), behind: last)
                guard case .stored(let place) = outcome else { throw TestSupportError("\(outcome)") }
                last = .streamSequence(place)
            } catch let refusal as TransportError {
                error = refusal
            }
        }
        #expect(error?.code == .streamFull)
        #expect(error?.isWorthRepeating == false)
        #expect(try await connection.bounds(of: subject, in: "group")?.first.identity.sequence == 1)
        let tooLarge = await #expect(throws: TransportError.self) {
            try await connection.publish(
                [UInt8](repeating: 7, count: 600_000), to: subject,
                as: MessageIdentity(channel: "device.1", sequence: 9), behind: last)
        }
        #expect(tooLarge?.code == .tooLarge)
    }

    @Test func `a stream that would lose messages is refused with all its mistakes`() async throws {
        let cluster = try await NatsCluster.start(nodes: 1)
        let connection = try await cluster.connect()
        try await repeating(within: .seconds(30)) {
            try await connection.addForeignStream("group", subjects: ["ghoststore.group.>", "other"])
        }
        for adjusts in [false, true] {
            let error = await #expect(throws: TransportError.self) {
                try await connection.prepareStream(Self.settings(), adjusts: adjusts)
            }
            #expect(error?.code == .streamDiffers)
            let message = error?.message ?? ""
            for part in [
                "in files", "drops old", "delete messages", "purge the stream", "has other subjects", "allow_direct",
            ] {
                #expect(message.contains(part), "\(message)")
            }
        }
    }

    /// Each waiting follower occupies a Dispatch thread. Publishing must still get a thread.
    @Test func `many waiting followers do not prevent publishing`() async throws {
        let cluster = try await NatsCluster.start(nodes: 1)
        let connection = try await cluster.connect()
        let settings = Self.settings()
        try await cluster.makeStream(settings, connection)
        let wait = Duration.seconds(TestTier.count(2, long: 4))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<128 {
                let place = FollowerPlace(settings: settings, channel: "device.\(number)", follower: "one")
                let follower = try await connection.follow(place, from: .first)
                group.addTask {
                    try await follower.fetch(countMax: 1, bytesMax: 1 << 20, wait: wait).count
                }
            }
            try await Task.sleep(for: .milliseconds(200))
            let start = ContinuousClock.now
            for sequence in UInt64(1)...20 {
                let outcome = try await connection.publish(
                    [1], to: settings.subject(of: "device.127"),
                    as: MessageIdentity(channel: "device.127", sequence: sequence),
                    behind: sequence == 1 ? .none : .streamSequence(sequence - 1))
                #expect(outcome == .stored(streamSequence: sequence))
            }
            #expect(ContinuousClock.now - start < wait / 2)
            var received = 0
            for try await count in group { received += count }
            #expect(received == 1)
        }
    }

    @Test func `three replicas on a single server are refused`() async throws {
        let cluster = try await NatsCluster.start(nodes: 1)
        let connection = try await cluster.connect()
        try await cluster.makeStream(Self.settings(), connection)
        let error = await #expect(throws: TransportError.self) {
            try await connection.prepareStream(StreamSettings(name: "three", replicas: 3))
        }
        #expect(error?.code == .streamDiffers)
    }

    @Test(arguments: ["", "a.b", "a b", "a*", ">", "ä", String(repeating: "a", count: 65)])
    func `a name that cannot be part of a subject is not usable`(name: String) {
        #expect(!StreamSettings.isUsableName(name))
        #expect(StreamSettings.isUsableName("Group-1_a"))
    }
}
