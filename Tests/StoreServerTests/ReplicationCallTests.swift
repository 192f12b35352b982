import FoundationEssentials
import Logging
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreServer

private func take(_ channel: String, after sequence: UInt64, wait milliseconds: UInt32 = 0) -> WireRequest.OneOf_Call {
    .takeReplicaMessages(
        .with {
            $0.channel = channel
            $0.storedThrough = sequence
            $0.waitMilliseconds = milliseconds
        })
}

private func handIn(_ message: [UInt8], to channel: String) -> WireRequest.OneOf_Call {
    .handInReplicaMessage(
        .with {
            $0.channel = channel
            $0.message = Data(message)
        })
}

private func contact(_ id: String) -> WireRequest.OneOf_Call {
    .saveContact(.with { $0.sessionID = id })
}

extension RawConnection {
    /// Creates a replica group. Returns the stream of its device.
    fileprivate func createGroup() throws -> String {
        let create = WireCreateReplicaGroupRequest.with {
            $0.deviceName = "desk"
            $0.selection = ["contacts", "conversations"]
        }
        let device = try call(.createReplicaGroup(create)).replicaDevice.device
        let text = String(device, radix: 16)
        return "device." + String(repeating: "0", count: 16 - text.count) + text
    }

    /// Fetches all waiting messages and returns the sequence of the last one.
    fileprivate func takeAll(_ channel: String) throws -> UInt64 {
        var last: UInt64 = 0
        while let next = try call(take(channel, after: last)).replicaMessages.messages.last {
            last = next.sequence
        }
        return last
    }
}

@Suite(.serialized, .timeLimit(.minutes(1))) struct ReplicationCallTests {
    @Test func `the right to replication adds three calls to those that need no right`() {
        let permissions = CallPermissions(Grants(rights: [.replication]))
        let free = CallKind.allCases.filter { $0.rule.requirement == .none }
        let allowed = CallKind.allCases.filter { permissions.allows($0) }
        #expect(
            Set(allowed)
                == Set(free).union([.getReplicaStatus, .takeReplicaMessages, .handInReplicaMessage]))
        #expect(!permissions.isStranger)
    }

    @Test func `rights to areas do not include replication, and administration does`() {
        for grants in [Grants.none, .allAreas] {
            #expect(!CallPermissions(grants).allows(.takeReplicaMessages))
            #expect(!CallPermissions(grants).allows(.getReplicaStatus))
        }
        let administrator = CallPermissions(Grants(rights: [.administration]))
        #expect(administrator.allows(.takeReplicaMessages) && administrator.allows(.removeReplicaDevice))
        // A caller that invites a device lets that device read everything, so the caller needs all rights.
        #expect(!administrator.allows(.inviteReplicaDevice) && !administrator.allows(.joinReplicaGroup))
        #expect(CallPermissions(.everything).allows(.inviteReplicaDevice))
    }

    @Test func `take_replica_messages and hand_in_replica_message accept no key`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let channel = try connection.createGroup()
            for call in [take(channel, after: 0), handIn([1], to: channel)] {
                try connection.send(RawConnection.request(1, call, key: "a key of 8 bytes"))
                let error = try connection.receive().error
                #expect(error.reason == "INVALID_ARGUMENT" && error.message.contains("idempotency key"))
            }
        }
    }

    @Test func `arguments outside their limits are rejected`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let channel = try connection.createGroup()
            let taking = WireTakeReplicaMessagesRequest.with {
                ($0.channel, $0.bytesMax) = (channel, 8 << 20 + 1)
            }
            let calls: [WireRequest.OneOf_Call] = [
                take(channel, after: 0, wait: 60_001), take("device.1", after: 0), .takeReplicaMessages(taking),
                handIn([], to: channel), handIn([UInt8](repeating: 1, count: 1 << 20 + 1), to: channel),
                .createReplicaGroup(.with { $0.deviceName = "desk" }),
                .createReplicaGroup(
                    .with {
                        $0.deviceName = "desk"
                        $0.selection = ["drawers"]
                    }),
                .createReplicaGroup(.with { $0.selection = ["contacts"] }),
                .inviteReplicaDevice(.with { $0.validSeconds = 59 }),
                .inviteReplicaDevice(.with { $0.validSeconds = 604_801 }),
            ]
            for call in calls {
                #expect(try connection.call(call).error.reason == "INVALID_ARGUMENT", "\(call)")
            }
            let largest = try connection.call(handIn([UInt8](repeating: 1, count: 1 << 20), to: channel))
            #expect(largest.replicaHandedIn.reason == "MALFORMED")
        }
    }

    @Test func `a waiting take returns a new commit and blocks no other call`() async throws {
        try await RunningServer.with { server in
            let agent = try server.connect()
            let writer = try server.connect()
            let channel = try writer.createGroup()
            let last = try agent.takeAll(channel)
            try agent.send(RawConnection.request(7, take(channel, after: last, wait: 60_000)))
            try agent.send(RawConnection.request(8, .ping(.init())))
            #expect(try agent.receive().id == 8)
            _ = try writer.call(contact("alice"))
            let answer = try agent.receive()
            #expect(answer.id == 7)
            #expect(answer.replicaMessages.messages.map(\.sequence) == [last + 1])
        }
    }

    @Test func `a take misses no commit that happens while it begins`() async throws {
        try await RunningServer.with { server in
            let agent = try server.connect()
            let writer = try server.connect()
            let channel = try writer.createGroup()
            var last = try agent.takeAll(channel)
            for number in 0..<100 {
                try agent.send(RawConnection.request(7, take(channel, after: last, wait: 60_000)))
                _ = try writer.call(contact("c\(number)"))
                last = try #require(try agent.receive().replicaMessages.messages.last).sequence
            }
        }
    }

    @Test func `a waiting take causes no writes while nothing happens`() async throws {
        try await RunningServer.with { server in
            let agent = try server.connect()
            let writer = try server.connect()
            let channel = try writer.createGroup()
            let last = try agent.takeAll(channel)
            let before = server.engine.writeCounts.groupRequests.count
            try agent.send(RawConnection.request(7, take(channel, after: last, wait: 300)))
            let answer = try agent.receive()
            #expect(answer.id == 7 && answer.replicaMessages.messages.isEmpty)
            #expect(try answer.resultName == "replica_messages")
            #expect(server.engine.writeCounts.groupRequests.count <= before + 2)
        }
    }

    @Test func `a waiting take ends when the group is left, the store locked or the take cancelled`() async throws {
        try await RunningServer.with { server in
            let agent = try server.connect()
            let writer = try server.connect()
            let channel = try writer.createGroup()
            let last = try agent.takeAll(channel)
            let wait = RawConnection.request(7, take(channel, after: last, wait: 60_000))
            try agent.send(wait)
            try agent.send(RawConnection.request(8, .cancel(.with { $0.requestID = 7 })))
            let answers = try [agent.receive(), agent.receive()]
            #expect(try answers.first { $0.id == 7 }?.resultName == "replica_messages")
            try agent.send(wait)
            _ = try writer.call(.leaveReplicaGroup(.init()))
            #expect(try agent.receive().error.reason == "REPLICA_GROUP_ABSENT")
            let other = try writer.createGroup()
            let end = try agent.takeAll(other)
            try agent.send(RawConnection.request(7, take(other, after: end, wait: 60_000)))
            _ = try writer.call(.lock(.init()))
            #expect(try agent.receive().error.reason == "STORE_LOCKED")
        }
    }

    @Test func `rejected messages are counted by reason, and logged only a few times for each user`() async throws {
        let lines = LogLines()
        try await RunningServer.with(logger: lines.logger) { server in
            let connection = try server.connect()
            _ = try connection.createGroup()
            for _ in 0..<100 {
                let answer = try connection.call(handIn(Array("nothing sealed".utf8), to: "device.00000000000000ff"))
                #expect(answer.replicaHandedIn.outcome == .refused && answer.replicaHandedIn.reason == "MALFORMED")
            }
            let waiting = try connection.call(.getMetrics(.init())).metrics.text
            #expect(waiting.contains(#"ghoststore_replica_messages_refused_total{reason="MALFORMED"} 100"#))
            #expect(waiting.contains(#"ghoststore_replica_messages_refused_total{reason="FORGED"} 0"#))
            #expect(waiting.contains("ghoststore_replica_messages_merged_total 0"))
        }
        let refusals = lines.all.filter { $0.message == "a message of the replica group was refused" }
        #expect((1...20).contains(refusals.count))
        #expect(refusals.first?.metadata["channel"] == "device.00000000000000ff")
        #expect(refusals.first?.metadata["reason"] == "MALFORMED")
        #expect(!refusals.contains { "\($0.metadata)".contains("sealed") })
    }

    @Test func `metrics describe the replica group, and are zero without one`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let without = try connection.call(.getMetrics(.init())).metrics.text
            #expect(without.contains(#"ghoststore_replica_state{state="member"} 0"#))
            _ = try connection.createGroup()
            _ = try connection.call(contact("alice"))
            // Metrics show the state that the last read has seen, so this read brings them up to date.
            _ = try connection.call(.listContacts(.init()))
            let with = try connection.call(.getMetrics(.init())).metrics.text
            #expect(with.contains(#"ghoststore_replica_state{state="member"} 1"#))
            #expect(with.contains(#"ghoststore_replica_state{state="joining"} 0"#))
            #expect(with.contains("ghoststore_replica_devices 0"))
            #expect(with.contains("ghoststore_replica_uncollected_revisions 1"))
        }
    }
}
