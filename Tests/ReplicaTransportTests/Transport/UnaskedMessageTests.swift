import CNats
import TestBasics
import Testing

@testable import ReplicaTransport

/// Messages that arrive although the follower did not ask for them, because they are late or the server misbehaves. The
/// library used to write beyond the end of its list then.
@Suite(.enabled(if: NatsNode.program != nil, "nats-server is not installed"), .timeLimit(.minutes(10)))
struct UnaskedMessageTests {
    @Test(arguments: [(batch: 1, countMax: 2), (8, 13), (3, 13), (40, 13), (13, 100)])
    func `unrequested messages are returned in order, and never more than requested`(
        batch: Int, countMax: Int
    ) async throws {
        let total = 300
        let cluster = try await NatsCluster.start(nodes: 1)
        let connection = try await cluster.connect()
        let settings = StreamSettings(name: "unasked", replicas: 1)
        try await cluster.makeStream(settings, connection)
        let channel = "device.00000000000000aa"
        let bytes = [UInt8](repeating: 7, count: 100)
        var last = ExpectedLast.none
        for sequence in 1...UInt64(total) {
            let identity = MessageIdentity(channel: channel, sequence: sequence, bytes: bytes)
            let subject = settings.subject(of: channel)
            guard case .stored(let place) = try await connection.publish(bytes, to: subject, as: identity, behind: last)
            else { throw TransportError(.unexpected, "a message was not stored") }
            last = .streamSequence(place)
        }
        let place = FollowerPlace(settings: settings, channel: channel, follower: "follower")
        let follower = try await connection.follow(place, from: .first)
        let asking = Task {
            // To the follower, the messages that these requests cause look like responses to abandoned requests, or to
            // no request at all.
            while !Task.isCancelled {
                await follower.askByHand(batch)
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        defer { asking.cancel() }
        let end = ContinuousClock.now + .seconds(60)
        var taken: [UInt64] = []
        while taken.count < total {
            try #require(ContinuousClock.now < end)
            // A request made by hand can end a running fetch early. The next fetch gets the messages then.
            let messages = (try? await follower.fetch(countMax: countMax, bytesMax: 1 << 20, wait: .seconds(5))) ?? []
            #expect(messages.count <= countMax)
            taken += messages.map(\.identity.sequence)
            try await follower.acknowledgeOrDelay(messages.map { ($0, .acknowledged) })
        }
        #expect(taken == (1...UInt64(total)).map { $0 })
        asking.cancel()
        _ = await asking.result
        await connection.close()
        for node in cluster.nodes {
            try await node.kill9()
        }
    }

    @Test func `a follower that gets no messages although some are waiting is reported as missing`() async throws {
        let cluster = try await NatsCluster.start(nodes: 1)
        let connection = try await cluster.connect()
        let settings = StreamSettings(name: "stalled", replicas: 1)
        try await cluster.makeStream(settings, connection)
        let channel = "device.00000000000000aa"
        let follower = try await connection.follow(
            FollowerPlace(settings: settings, channel: channel, follower: "follower"), from: .first)
        try await follower.checkPlace()
        let bytes: [UInt8] = [7]
        _ = try await connection.publish(
            bytes, to: settings.subject(of: channel),
            as: MessageIdentity(channel: channel, sequence: 1, bytes: bytes), behind: .none)
        let error = await #expect(throws: TransportError.self) { try await follower.checkPlace() }
        #expect(error?.code == .followerMissing)
        let messages = try await follower.fetch(countMax: 1, bytesMax: 1 << 20, wait: .seconds(5))
        try await follower.acknowledgeOrDelay(messages.map { ($0, .acknowledged) })
        try await follower.checkPlace()
        await connection.close()
        for node in cluster.nodes {
            try await node.kill9()
        }
    }

    @Test func `unrequested messages that are not fetched use no more memory than a few rounds`() async throws {
        let cluster = try await NatsCluster.start(nodes: 1)
        let (connection, other) = (try await cluster.connect(), try await cluster.connect())
        let settings = StreamSettings(name: "flooded", replicas: 1)
        try await cluster.makeStream(settings, connection)
        let follower = try await connection.follow(
            FollowerPlace(settings: settings, channel: "device.00000000000000aa", follower: "follower"), from: .first)
        let messageBytes = 1 << 19
        let count = 3 * Int(FollowerLimits.arrivedBytesMax) / messageBytes
        let bytes = [UInt8](repeating: 7, count: messageBytes)
        for _ in 0..<count {
            #expect(
                natsConnection_Publish(
                    other.connection, natsSubscription_GetSubject(follower.subscription), bytes, Int32(messageBytes))
                    == NATS_OK)
        }
        #expect(natsConnection_Flush(other.connection) == NATS_OK)
        #expect(natsConnection_Flush(connection.connection) == NATS_OK)
        var (arrivedCount, arrivedBytes) = (Int32(0), Int32(0))
        #expect(natsSubscription_GetPending(follower.subscription, &arrivedCount, &arrivedBytes) == NATS_OK)
        #expect(arrivedCount > 1)
        #expect(arrivedBytes <= FollowerLimits.arrivedBytesMax)
        await other.close()
        await connection.close()
        for node in cluster.nodes {
            try await node.kill9()
        }
    }
}

extension SubjectFollower {
    /// Makes the server send messages that no fetch has asked for.
    fileprivate func askByHand(_ count: Int) async {
        let request = #"{"batch":\#(count),"no_wait":true}"#
        _ = natsConnection_PublishRequest(
            connection.connection, "$JS.API.CONSUMER.MSG.NEXT.\(place.stream).\(place.name)",
            natsSubscription_GetSubject(subscription), request, Int32(request.utf8.count))
        _ = natsConnection_Flush(connection.connection)
    }
}
