import GhostTestSupport
import Logging
import ReplicaModel
import ReplicaTransport
import StoreBasics
import StoreClient
import TestBasics
import Testing

@testable import ghoststore_sync

/// Agents of several devices on real servers. The daemons are stand-ins in memory that outlive the agents.
@Suite(.enabled(if: NatsNode.program != nil, "nats-server is not installed"), .timeLimit(.minutes(30)))
struct AgentTests {
    @Test func `three devices get everything once and in order, although agents are killed at any time`() async throws {
        let cluster = try await NatsCluster.start(nodes: 1)
        let group = DeviceGroup(cluster, replicas: 1, seed: 20_261_125, odds: TestTier.count(100, long: 150))
        let (first, more) = (TestTier.count(60, long: 150), TestTier.count(20, long: 50))
        try await group.run { group in
            for device in group.devices { device.store.save(first) }
            try await eventually("half is there", within: .seconds(60)) { group.isComplete(first / 2) }
            // All servers are unavailable for a moment.
            try await cluster.nodes[0].restart()
            for device in group.devices { device.store.save(more) }
            group.devices.forEach { $0.killer.rest() }
            try await eventually("all is there", within: .seconds(60)) { group.isComplete(first + more) }
        }
        group.expectEverything(UInt64(first + more))
        #expect(group.devices.reduce(0) { $0 + $1.killer.kills } > 3)
    }

    @Test(.enabled(if: LongRuns.rounds > 0, "make replication-long"))
    func `devices converge through faults of agents and servers for many rounds`() async throws {
        let seed = LongRuns.seed
        LongRuns.say("REPLICATION_SEED=\(seed)")
        var random = SplitMix(seed: seed)
        let cluster = try await NatsCluster.start()
        let group = DeviceGroup(cluster, replicas: 3, seed: seed, odds: 200)
        let rounds = LongRuns.rounds
        try await group.run { group in
            for round in 1...rounds {
                for device in group.devices { device.store.save(20) }
                let node = try #require(cluster.nodes.randomElement(using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: try await node.restart()
                case 1:
                    node.freeze()
                    try await Task.sleep(for: .milliseconds(Int.random(in: 100..<4_000, using: &random)))
                    node.thaw()
                case 2:
                    try await node.wipe()
                    try node.start()
                default: break
                }
                try await eventually("round \(round)", within: .seconds(120)) { group.isComplete(round * 20) }
            }
        }
        group.expectEverything(UInt64(rounds * 20))
    }

    @Test func `a message that waits or is refused stops only its own channel`() async throws {
        let cluster = try await NatsCluster.start(nodes: 1)
        let group = DeviceGroup(cluster, replicas: 1, seed: 1, odds: .max)
        let (one, two, three) = (group.devices[0].store, group.devices[1].store, group.devices[2].store)
        three.answer(
            one.channel, 2, [.waits(.epochUnknown, expected: nil), .waits(.epochUnknown, expected: nil)])
        three.answer(two.channel, 3, [.refused(.forged)])
        try await group.run { group in
            one.save(5)
            two.save(5)
            try await eventually("all is there", within: .seconds(40)) {
                three.merged(one.channel).count == 5 && three.merged(two.channel).count == 5
                    && two.merged(one.channel).count == 5
            }
        }
        #expect(three.merged(one.channel) == [1, 2, 3, 4, 5])
        // Anyone may have published the rejected message, so the agent still waits for the genuine message with its
        // number.
        #expect(three.merged(two.channel) == [1, 2, 3, 4, 5])
        let text = group.devices[2].figures.text
        #expect(text.contains("ghoststore_sync_refused_messages_total{reason=\"FORGED\"} 1\n"))
        #expect(text.contains("ghoststore_sync_waits_messages_total{reason=\"EPOCH_UNKNOWN\"} 2\n"))
        #expect(group.violations.all == [])
    }

    @Test func `messages missing from the stream are noticed, and a snapshot replaces them`() async throws {
        let cluster = try await NatsCluster.start(nodes: 1)
        let group = DeviceGroup(cluster, replicas: 1, seed: 1, odds: .max, devices: 2)
        let (writer, reader) = (group.devices[0].store, group.devices[1])
        // The stream begins with the fifth message, as if older messages had reached an age limit.
        let connection = try await cluster.connect()
        try await cluster.makeStream(group.settings, connection)
        var last = ExpectedLast.none
        for sequence in UInt64(5)...8 {
            let outcome = try await connection.publish(
                FakeReplicaStore.seal(writer.channel, sequence), to: group.settings.subject(of: writer.channel.text),
                as: MessageIdentity(channel: writer.channel.text, sequence: sequence), behind: last)
            guard case .stored(let place) = outcome else { throw TestSupportError("\(outcome)") }
            last = .streamSequence(place)
        }
        try await group.run(only: [1]) { _ in
            try await eventually("the gap is noticed") { reader.figures.snapshot.gauges[.gappedChannels] == 1 }
            #expect(reader.store.merged(writer.channel) == [])
            reader.store.want(writer.channel, 7)
            try await eventually("it goes on", within: .seconds(40)) { reader.store.merged(writer.channel) == [7, 8] }
            try await eventually("the gap is over") { reader.figures.snapshot.gauges[.gappedChannels] == 0 }
        }
    }

    /// The device whose message the servers lost may send a request for a snapshot in any later message. So the daemon
    /// must get the later messages, although it can merge none of them.
    @Test func `after a lost message the newest message is handed in each time there is a newer one`()
        async throws
    {
        let cluster = try await NatsCluster.start(nodes: 1)
        let group = DeviceGroup(cluster, replicas: 1, seed: 1, odds: .max, devices: 2)
        let (channel, reader) = (group.devices[0].store.channel, group.devices[1])
        let connection = try await cluster.connect()
        try await cluster.makeStream(group.settings, connection)
        var last = ExpectedLast.none
        func publish(_ sequence: UInt64) async throws {
            let outcome = try await connection.publish(
                FakeReplicaStore.seal(channel, sequence), to: group.settings.subject(of: channel.text),
                as: MessageIdentity(channel: channel.text, sequence: sequence), behind: last)
            guard case .stored(let place) = outcome else { throw TestSupportError("\(outcome)") }
            last = .streamSequence(place)
        }
        for sequence: UInt64 in [1, 2, 4, 5, 6] { try await publish(sequence) }
        let newest = { (sequence: UInt64) in
            reader.store.handIns(channel).contains(.init(sequence: sequence, isOldestKept: false))
        }
        try await group.run(only: [1]) { _ in
            try await eventually("the newest is handed in", within: .seconds(40)) { newest(6) }
            try await eventually("the gap is noticed") { reader.figures.snapshot.gauges[.gappedChannels] == 1 }
            try await publish(7)
            try await eventually("the newest is another", within: .seconds(40)) { newest(7) }
            #expect(reader.store.merged(channel) == [1, 2])
            // The first message after the third one, and no other, shows the daemon that the third message is lost.
            let kept = Set(reader.store.handIns(channel).filter(\.isOldestKept).map(\.sequence))
            #expect(kept == [4])
            reader.store.want(channel, 7)
            try await eventually("it goes on", within: .seconds(40)) { reader.store.merged(channel) == [1, 2, 7] }
            try await eventually("the gap is over") { reader.figures.snapshot.gauges[.gappedChannels] == 0 }
        }
    }

    @Test func `two stores that publish as one device are noticed, and the messages of the first one stay`()
        async throws
    {
        let cluster = try await NatsCluster.start(nodes: 1)
        let group = DeviceGroup(cluster, replicas: 1, seed: 1, odds: .max, devices: 2)
        let connection = try await cluster.connect()
        try await cluster.makeStream(group.settings, connection)
        let store = group.devices[0].store
        _ = try await connection.publish(
            FakeReplicaStore.seal(store.channel, 1, size: 7), to: group.settings.subject(of: store.channel.text),
            as: MessageIdentity(channel: store.channel.text, sequence: 1), behind: .none)
        store.save(3)
        try await group.run(only: [0]) { group in
            try await eventually("the fork is noticed") {
                group.devices[0].figures.snapshot.gauges[.forkedChannels] == 1
            }
        }
        let bounds = try await connection.bounds(
            of: group.settings.subject(of: store.channel.text), in: group.settings.name)
        #expect(bounds?.last.identity.sequence == 1)
        #expect(store.storedThrough == 0)
    }

    @Test func `foreign messages in a device's channel are skipped, however often they come`() async throws {
        let cluster = try await NatsCluster.start(nodes: 1)
        let group = DeviceGroup(cluster, replicas: 1, seed: 1, odds: .max, devices: 2)
        let connection = try await cluster.connect()
        try await cluster.makeStream(group.settings, connection)
        let store = group.devices[0].store
        let subject = group.settings.subject(of: store.channel.text)
        /// Publishes a message with a number and a name that the device itself could have given it.
        func putForeign(_ text: String, as sequence: UInt64) async throws {
            let last = try await connection.lastMessage(of: subject, in: group.settings.name)
            _ = try await connection.publish(
                Array(text.utf8), to: subject,
                as: MessageIdentity(channel: store.channel.text, sequence: sequence, bytes: Array(text.utf8)),
                behind: last.map { .streamSequence($0.streamSequence) } ?? .none)
        }
        try await putForeign("another's", as: 1)
        store.save(3)
        try await group.run(only: [0]) { _ in
            try await eventually("it goes on", within: .seconds(40)) { store.storedThrough == 3 }
            for (round, sequence) in [UInt64(4), 1, 0, .max, 1_000].enumerated() {
                try await putForeign("again \(round)", as: sequence)
                store.save(3)
                let wanted = UInt64(6 + round * 3)
                try await eventually("it goes on", within: .seconds(40)) { store.storedThrough == wanted }
            }
        }
        // A new agent does not know which messages the previous one skipped.
        try await putForeign("last", as: 19)
        store.save(3)
        try await group.run(only: [0]) { _ in
            try await eventually("it goes on", within: .seconds(40)) { store.storedThrough == 21 }
        }
        let figures = group.devices[0].figures.snapshot
        #expect(figures.gauges[.forkedChannels] == 0)
        #expect(figures.counters[AgentFigures.Counter(total: .foreignMessages, labels: [:])] ?? 0 >= 7)
        #expect(figures.counters[AgentFigures.Counter(total: .lostInStream, labels: [:])] == nil)
    }
}
