import GhostTestSupport
import Glibc
import StoreClient
import Synchronization
import TestBasics

/// A daemon with its agent, which replicates the daemon's changes over the stream.
final class GroupDevice: Sendable {
    let name: String
    let daemon: TestDaemon
    let client: StoreClient
    private let place: NetworkPlace
    private let folder: TemporaryDirectory
    private let configurationPath: String
    private let agent = Mutex<RunningProgram?>(nil)

    convenience init(
        _ name: String, servers: [String], stream: String, at place: NetworkPlace = .loopback,
        _ options: TestDaemonOptions = TestDaemonOptions()
    ) async throws {
        try await self.init(
            name,
            carrier: """
                nats:
                  servers: [\(servers.joined(separator: ", "))]
                stream: {name: \(stream), replicas: \(servers.count)}
                """, at: place, options)
    }

    /// - Parameter carrier: the lines of the agent's configuration that say how messages reach the other devices.
    init(
        _ name: String, carrier: String, at place: NetworkPlace = .loopback,
        _ options: TestDaemonOptions = TestDaemonOptions()
    ) async throws {
        self.name = name
        self.place = place
        daemon = try await TestDaemon.start(options)
        client = try await daemon.connect(configuration: Self.clientConfiguration)
        folder = try TemporaryDirectory()
        configurationPath = try folder.write("socket: \(daemon.socketPath)\n\(carrier)\n", to: "sync.yaml")
    }

    static var clientConfiguration: ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.callDeadline = .seconds(20)
        return configuration
    }

    var agentProcessID: Int32? { agent.withLock { $0?.processID } }
    var agentLog: String { agent.withLock { $0?.errorOutput } ?? "" }

    /// The output of the agent if it crashed, or `nil` while it runs.
    var agentCrash: String? {
        agent.withLock { agent -> String? in
            guard let agent, !agent.isRunning else { return nil }
            let log = agent.errorOutput
            guard let crash = log.firstRange(of: "***") else { return String(log.suffix(2_000)) }
            return "\(log[..<crash.lowerBound].suffix(1_000))\(log[crash.lowerBound...].prefix(12_000))"
        }
    }

    func startAgent() throws {
        let command = place.command(
            try BuiltPrograms.path("ghoststore-sync"), ["--config", configurationPath])
        let started = try RunningProgram(command.path, command.arguments)
        agent.withLock { $0 = started }
    }

    func killAgent() async throws {
        guard let running = agent.withLock({ $0.take() }) else { return }
        running.signal(SIGKILL)
        _ = try await running.wait(within: .seconds(10))
    }

    /// Stops the agent's process without closing its connections.
    func freezeAgent() {
        agent.withLock { $0 }?.signal(SIGSTOP)
    }

    func thawAgent() {
        agent.withLock { $0 }?.signal(SIGCONT)
    }

    /// Invites another device and completes its joining.
    func letIn(_ other: GroupDevice) async throws {
        var invitation = try await client.inviteReplicaDevice(validFor: .seconds(600))
        guard let code = invitation.takeCode() else { throw TestSupportError("an invitation without a code") }
        try await other.client.joinReplicaGroup(code: code.secret(), deviceName: other.name)
        try await eventually("\(other.name) has joined", within: .seconds(60)) {
            try await other.client.replicaStatus().state == .member
        }
    }

    func stop() async throws {
        try await killAgent()
        await client.close()
        try await daemon.kill9()
    }
}

extension [GroupDevice] {
    /// Returns true if every device has merged all changes of the others.
    func areInStep() async throws -> Bool {
        var statuses: [ReplicaStatus] = []
        for device in self {
            statuses.append(try await device.client.replicaStatus())
        }
        let lasts = Dictionary(uniqueKeysWithValues: statuses.map { ($0.device, $0.lastSequence) })
        return statuses.allSatisfy { status in
            status.waitingCount == 0 && status.uncollectedRevisions == 0
                && status.devices.allSatisfy { $0.fault == nil && $0.mergedSequence == lasts[$0.id] }
        }
    }
}
