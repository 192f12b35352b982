import Glibc
import StoreBasics
import StoreClient

/// A store that takes part in a replica group: its daemon, a client, and the agent while it runs.
final class GroupDevice {
    let name: String
    let daemon: DaemonPeer
    let client: StoreClient
    private let agentProgram: String
    private let prefix: [String]
    private let configurationPath: String
    private let logPath: String
    private var agent: ChildProcess?

    /// - Parameter prefix: a program with its arguments that starts the daemon and the agent.
    init(
        _ name: String, programs: ReplicationPrograms, stream: String, servers: [String], prefix: [String],
        scratch: ScratchDirectory
    ) async throws {
        self.name = name
        self.prefix = prefix
        agentProgram = programs.agent
        daemon = try DaemonPeer(
            program: programs.daemon, scratch: scratch, name: name, configuration: AgentUser.daemonConfiguration,
            prefix: prefix)
        try daemon.start()
        if AgentUser.isAnother {
            daemon.letOthersConnect()
        }
        client = try await StoreClient.connect(to: daemon.socketPath)
        configurationPath = scratch.file(name + ".yaml")
        logPath = scratch.file(name + "-agent.log")
        let text = """
            socket: \(daemon.socketPath)
            nats:
              servers: [\(servers.joined(separator: ", "))]
            stream: {name: \(stream), replicas: \(servers.count)}

            """
        try TextFile.write(text, to: configurationPath)
    }

    var socketPath: String { daemon.socketPath }

    /// The agent's process id, or `nil` while it does not run.
    var agentProcessID: pid_t? { agent?.processID }

    func startAgent() throws(BenchError) {
        agent = try ChildProcess(
            prefix + AgentUser.prefix + [agentProgram, "--config", configurationPath], outputPath: logPath)
    }

    func stopAgent() {
        agent?.stop()
        agent = nil
    }

    func stop() async {
        stopAgent()
        await client.close()
        daemon.stop()
    }

    /// Throws an error with the agent's last output if the agent has ended.
    func requireRunning() throws(BenchError) {
        try agent?.requireRunning()
    }

    var messageCount: Int {
        get async throws { try await client.statistics().messageCount }
    }

    /// Admits another store to this store's group, and starts the other store's agent. Both agents run afterwards.
    func admit(_ other: GroupDevice) async throws {
        var invitation = try await client.inviteReplicaDevice(validFor: .seconds(3_600))
        guard let code = invitation.takeCode() else { throw BenchError("an invitation came without its code") }
        try await other.client.joinReplicaGroup(code: code.secret(), deviceName: other.name)
        try other.startAgent()
    }

    /// Waits until all changes of this store are in the group's stream.
    func published() async throws {
        try await waiting("\(name) has published all", with: [self]) {
            let status = try await self.client.replicaStatus()
            return status.uncollectedRevisions == 0 && status.waitingCount == 0
                && status.storedThrough == status.lastSequence
        }
    }

    /// Returns true if this store has merged everything that the other store of the group has published, and the other
    /// store has nothing left to publish.
    func isInStep(with other: GroupDevice) async throws -> Bool {
        let theirs = try await other.client.replicaStatus()
        guard theirs.uncollectedRevisions == 0 else { return false }
        let status = try await client.replicaStatus()
        return status.state == .member
            && status.devices.contains { $0.id == theirs.device && $0.mergedSequence == theirs.lastSequence }
    }
}

/// The user that runs the agents. If this program is root, the agents run as another user than the clients of the
/// stores, as in an installed system, because the daemon divides its time among users.
private enum AgentUser {
    private static let id = 64_992

    static var isAnother: Bool { geteuid() == 0 }

    static var prefix: [String] {
        isAnother ? ["setpriv", "--reuid", "\(id)", "--regid", "\(id)", "--clear-groups"] : []
    }

    static var daemonConfiguration: String? {
        isAnother ? "access: {rules: [\"user:\(id) replication\"]}\n" : nil
    }
}

struct ReplicationPrograms: Sendable {
    var daemon: String
    var agent: String
}

/// The time after which `waiting` gives up with an error.
private let waitingSecondsMax = 600.0

/// Calls `isSo` repeatedly until it returns true.
///
/// - Returns: the time at which `isSo` returned true.
@discardableResult
func waiting(
    _ what: String, with devices: [GroupDevice] = [], everyMilliseconds: Int = 10,
    _ isSo: () async throws -> Bool
) async throws -> UInt64 {
    let end = MonotonicClock.nanoseconds + waitingSecondsMax.secondsAsNanoseconds
    while !(try await isSo()) {
        for device in devices {
            try device.requireRunning()
        }
        guard MonotonicClock.nanoseconds < end else {
            throw BenchError("not reached within \(Int(waitingSecondsMax)) s: \(what)")
        }
        try await Task.sleep(for: .milliseconds(everyMilliseconds))
    }
    return MonotonicClock.nanoseconds
}
