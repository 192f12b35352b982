import GhostTestSupport
import Glibc
import StoreClient
import TestBasics
import Testing

/// Real daemons, each with its agent, and a real server between them.
@Suite(
    .timeLimit(.minutes(5)), .enabled(if: NatsNode.program != nil, "nats-server is not installed"))
struct GroupOverStreamTests {
    /// A store with what brings it to the stream.
    private final class Device {
        let client: StoreClient
        private let socketPath: String
        private let folder: TemporaryDirectory
        private let servers: [String]
        private var agent: RunningProgram?

        init(_ daemon: TestDaemon, _ client: StoreClient, _ servers: [String]) throws {
            self.client = client
            self.servers = servers
            socketPath = daemon.socketPath
            folder = try TemporaryDirectory()
        }

        func start() throws {
            let path = try folder.write(
                """
                socket: \(socketPath)
                nats:
                  servers: [\(servers.joined(separator: ", "))]
                stream: {name: family, replicas: \(servers.count)}
                """, to: "sync.yaml")
            agent = try RunningProgram(BuiltPrograms.path("ghoststore-sync"), ["--config", path])
        }

        func kill() async throws {
            guard let agent else { return }
            agent.signal(SIGKILL)
            _ = try await agent.wait(within: .seconds(10))
            self.agent = nil
        }

        var log: String { agent?.errorOutput ?? "" }

        func texts() async throws -> [String] {
            var texts: [String] = []
            for try await message in client.messages(in: .sessionID("05family")) {
                texts.append("\(message.id) \(message.text)")
            }
            return texts.sorted()
        }
    }

    private func join(_ device: Device, by inviter: Device, as name: String) async throws {
        var invitation = try await inviter.client.inviteReplicaDevice(validFor: .seconds(600))
        guard let code = invitation.takeCode() else { throw TestSupportError("an invitation without a code") }
        try await device.client.joinReplicaGroup(code: code.secret(), deviceName: name)
        try await eventually("\(name) has joined", within: .seconds(60)) {
            try await device.client.replicaStatus().state == .member
        }
    }

    @Test func `three stores hold the same, whatever becomes of their agents`() async throws {
        let cluster = try await NatsCluster.start(nodes: 1)
        try await withDaemonAndClient { daemonOne, one in
            try await withDaemonAndClient { daemonTwo, two in
                try await withDaemonAndClient { daemonThree, three in
                    let devices = try [
                        Device(daemonOne, one, cluster.urls), Device(daemonTwo, two, cluster.urls),
                        Device(daemonThree, three, cluster.urls),
                    ]
                    try await self.live(devices, cluster)
                    for device in devices {
                        try await device.kill()
                    }
                }
            }
        }
    }

    private func live(_ devices: [Device], _ cluster: NatsCluster) async throws {
        let (one, two, three) = (devices[0], devices[1], devices[2])
        for device in devices {
            try device.start()
        }
        let party = ConversationReference.sessionID("05family")
        try await one.client.saveMessage(NewMessage(id: "before", conversation: party, text: "there before"))
        try await one.client.createReplicaGroup(deviceName: "one", selection: ["conversations", "contacts"])
        try await join(two, by: one, as: "two")
        try await join(three, by: two, as: "three")
        #expect(try await three.texts() == ["before there before"])
        for round in 0..<60 {
            for (index, device) in devices.enumerated() {
                try await device.client.saveMessage(
                    NewMessage(id: "\(index) \(round)", conversation: party, text: "text \(round)"))
            }
            if round == 20 { try await two.kill() }
            if round == 30 { try await cluster.nodes[0].kill9() }
            if round == 40 {
                try two.start()
                try await cluster.nodes[0].restart()
            }
        }
        try await one.client.deleteMessages(["before"])
        let expected = (0..<60).flatMap { round in (0..<3).map { "\($0) \(round) text \(round)" } }.sorted()
        try await eventually("all stores hold the same", within: .seconds(90)) {
            for device in devices {
                guard try await device.texts() == expected else { return false }
            }
            return true
        }
        let statuses = try await one.client.replicaStatus()
        #expect(statuses.devices.allSatisfy { $0.fault == nil })
        #expect(Set(statuses.devices.map(\.name)) == ["two", "three"])
    }
}
