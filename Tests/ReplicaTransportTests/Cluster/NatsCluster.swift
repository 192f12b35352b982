import GhostTestSupport
import ReplicaTransport
import TestBasics

/// A cluster of nats-server processes with JetStream.
final class NatsCluster: Sendable {
    let nodes: [NatsNode]

    /// Starts servers on the loopback interface.
    ///
    /// - Parameter more: additional configuration lines for each server.
    static func start(nodes count: Int = 3, more: String = "") async throws -> NatsCluster {
        let ports = try FreePorts.take(count * 2)
        let addresses = (0..<count).map {
            NatsNode.Address(place: .loopback, port: ports[$0], routePort: ports[count + $0])
        }
        return try await start(addresses, more: more)
    }

    static func start(_ addresses: [NatsNode.Address], more: String = "") async throws -> NatsCluster {
        let nodes = try addresses.enumerated().map { index, address in
            try NatsNode(
                name: "n\(index + 1)", address, routes: addresses.count > 1 ? addresses : [], more: more)
        }
        let cluster = NatsCluster(nodes)
        for node in nodes {
            try node.start()
        }
        return cluster
    }

    private init(_ nodes: [NatsNode]) {
        self.nodes = nodes
    }

    var urls: [String] { nodes.map(\.url) }
    var log: String { nodes.map { "\($0.name):\n\($0.log.suffix(2_000))" }.joined(separator: "\n") }

    func node(_ name: String?) throws -> NatsNode {
        guard let node = nodes.first(where: { $0.name == name }) else {
            throw TestSupportError("there is no node \(name ?? "")")
        }
        return node
    }

    /// Returns a connection, after repeated attempts if necessary.
    func connect(
        _ change: (inout TransportConfiguration) -> Void = { _ in }, within limit: Duration = .seconds(30)
    ) async throws -> StreamConnection {
        var configuration = TransportConfiguration(servers: urls)
        configuration.requestTimeout = .seconds(2)
        change(&configuration)
        let chosen = configuration
        return try await repeating(within: limit) { try await StreamConnection.connect(chosen) }
    }

    /// Creates a stream, after repeated attempts if necessary.
    @discardableResult
    func makeStream(_ settings: StreamSettings, _ connection: StreamConnection) async throws -> StreamPresence {
        try await repeating(within: .seconds(30)) { try await connection.prepareStream(settings) }
    }

    /// Waits until the stream has a leader and all its servers have all messages. Returns its state.
    @discardableResult
    func settled(
        _ stream: String, _ connection: StreamConnection, replicas: Int = 3, within limit: Duration = .seconds(60)
    ) async throws -> StreamStanding {
        try await repeating(within: limit) {
            let standing = try await connection.standing(of: stream)
            guard standing.leader != nil, standing.replicasCurrent == replicas else {
                throw TransportError(.noQuorum, "not settled: \(standing)")
            }
            return standing
        }
    }
}

/// Repeats the body while its error says that a repetition is worth it.
func repeating<Value>(
    within limit: Duration, _ body: () async throws -> Value
) async throws -> Value {
    let end = ContinuousClock.now + limit
    while true {
        do {
            return try await body()
        } catch let error as TransportError where error.isWorthRepeating && ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
