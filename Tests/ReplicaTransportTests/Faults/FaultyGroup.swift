import GhostTestSupport
import ReplicaTransport
import StoreBasics
import StoreClient
import TestBasics

/// Three servers and several devices of a replica group, with the faults that can be injected into them.
final class FaultyGroup {
    private static let selection = ["conversations", "contacts", "scenes", "files"]

    let cluster: NatsCluster
    let devices: [GroupDevice]
    var writers: [DeviceWriter]
    private var clients: [StoreClient] = []
    private let stream: String
    private let network: NamespaceNetwork?
    private let nodeCount: Int
    /// The recording of all network traffic, or `nil` if none was requested.
    let recording: Recording?
    private let connection: StreamConnection

    /// - Parameters:
    ///   - inNamespaces: true to run each server and each agent in its own namespace.
    ///   - deviceName: the name of the devices, to which a number is added.
    ///   - marker: a text that is part of everything written.
    ///   - isRecorded: true to record the network traffic.
    init(
        devices count: Int, inNamespaces: Bool, seed: UInt64, deviceName: String = "device", marker: String = "",
        stream: String = "family",
        isRecorded: Bool = false
    ) async throws {
        self.stream = stream
        let nodeCount = 3
        self.nodeCount = nodeCount
        network = inNamespaces ? try await NamespaceNetwork.make(places: nodeCount + count) : nil
        recording = isRecorded ? try await Self.record(network) : nil
        if let network {
            cluster = try await NatsCluster.start(
                network.places.prefix(nodeCount).map { NatsNode.Address(place: $0, port: 4_222, routePort: 6_222) })
        } else {
            cluster = try await NatsCluster.start(nodes: nodeCount)
        }
        var devices: [GroupDevice] = []
        var writers: [DeviceWriter] = []
        for index in 0..<count {
            let device = try await GroupDevice(
                "\(deviceName)\(index)", servers: cluster.urls, stream: stream,
                at: network?.places[nodeCount + index] ?? .loopback)
            devices.append(device)
            for number in 0..<2 {
                let client = try await device.daemon.connect(configuration: GroupDevice.clientConfiguration)
                clients.append(client)
                writers.append(
                    DeviceWriter(
                        "d\(index)c\(number)", client, seed: seed &* 101 &+ UInt64(index * 2 + number), marker: marker))
            }
        }
        (self.devices, self.writers) = (devices, writers)
        connection = try await cluster.connect()
        try await cluster.makeStream(StreamSettings(name: stream), connection)
        for device in devices {
            try device.startAgent()
        }
        try await devices[0].client.createReplicaGroup(deviceName: devices[0].name, selection: Self.selection)
        for device in devices.dropFirst() {
            try await devices[0].letIn(device)
        }
    }

    private static func record(_ network: NamespaceNetwork?) async throws -> Recording {
        guard let network else { return try await Recording(.loopback, interface: "lo") }
        return try await network.record()
    }

    func stop() async throws {
        for client in clients {
            await client.close()
        }
        for device in devices {
            try await device.stop()
        }
        for node in cluster.nodes {
            try await node.kill9()
        }
    }

    var agentLogs: String {
        devices.map { "\($0.name):\n\($0.agentLog.suffix(1_500))" }.joined(separator: "\n")
    }

    // MARK: Faults

    /// Returns the index of the stream's leader in `cluster.nodes`.
    private func leader() async throws -> Int {
        let leader = try await cluster.settled(stream, connection).leader
        guard let index = cluster.nodes.firstIndex(where: { $0.name == leader }) else {
            throw TestSupportError("no leader")
        }
        return index
    }

    func begin(_ fault: Fault, _ random: inout SplitMix) async throws -> FaultUnderWay {
        let node = Int.random(in: 0..<nodeCount, using: &random)
        let device = Int.random(in: 0..<devices.count, using: &random)
        return switch fault.kind {
        case .device: try await begin(fault, ofDevice: device)
        case .server: try await begin(fault, ofNode: fault == .leaderKilled ? leader() : node)
        case .network: try await begin(fault, network, node, device)
        }
    }

    private func begin(_ fault: Fault, ofDevice index: Int) async throws -> FaultUnderWay {
        let device = devices[index]
        let description = "\(fault.rawValue) \(device.name)"
        switch fault {
        case .daemonKilled:
            try await device.daemon.kill9()
            return FaultUnderWay(description: description) { try await device.daemon.startAgain() }
        case .agentFrozen:
            device.freezeAgent()
            return FaultUnderWay(description: description) { device.thawAgent() }
        default:
            try await device.killAgent()
            return FaultUnderWay(description: description) { try device.startAgent() }
        }
    }

    private func begin(_ fault: Fault, ofNode index: Int) async throws -> FaultUnderWay {
        let node = cluster.nodes[index]
        let description = "\(fault.rawValue) \(node.name)"
        switch fault {
        case .leaderStepsDown:
            try await connection.askLeaderToStepDown(of: stream)
            return FaultUnderWay(description: fault.rawValue) {}
        case .nodeFrozen:
            node.freeze()
            return FaultUnderWay(description: description) { node.thaw() }
        case .nodeWiped:
            try await node.wipe()
            return FaultUnderWay(description: description) { try node.start() }
        default:
            try await node.kill9()
            return FaultUnderWay(description: description) { try node.start() }
        }
    }

    private func begin(
        _ fault: Fault, _ network: NamespaceNetwork?, _ node: Int, _ device: Int
    ) async throws -> FaultUnderWay {
        guard let network else { throw TestSupportError("\(fault.rawValue) needs namespaces") }
        let places =
            switch fault {
            case .nodeAlone, .slowNode: [node]
            case .minorityWithDevice: [node, nodeCount + device]
            default: [nodeCount + device]
            }
        let isSlow = fault == .slowNode || fault == .slowDevice
        for place in places {
            try await isSlow ? network.limit(place, kilobitsPerSecond: 400) : network.move(place, to: .far)
        }
        return FaultUnderWay(description: "\(fault.rawValue) \(places)") {
            for place in places {
                try await isSlow ? network.limit(place, kilobitsPerSecond: nil) : network.move(place, to: .near)
            }
        }
    }

    // MARK: Waiting

    /// Waits until all servers have the complete stream. Only then may one of them be wiped.
    func settleCluster() async throws {
        try await cluster.settled(stream, connection, within: .seconds(120))
    }

    /// Publishes bytes in the stream without encryption.
    func publishPlainly(_ bytes: [UInt8]) async throws {
        let channel = "device.00000000000000ff"
        let subject = StreamSettings(name: stream).subject(of: channel)
        _ = try await connection.publish(
            bytes, to: subject, as: MessageIdentity(channel: channel, sequence: 1), behind: .none)
    }
}
