import Dispatch
import Glibc
import StoreBasics
import Synchronization
import TestBasics

/// A proxy between clients and a daemon, with a Unix socket for the clients. It causes the faults that a connection can
/// have.
///
/// A seeded generator draws the faults of each connection, in the order of the connections.
package final class FaultyProxy: Sendable {
    private struct State {
        var faults: ProxyFaults
        var generator: SplitMix
        var connections: [ProxiedConnection] = []
        var acceptedCount = 0
        var faultCount = 0
        var isHeld = false
        var isStopped = false
    }

    private let directory: TemporaryDirectory
    private let target: String
    private let listener: CInt
    private let state: Mutex<State>
    private let threads = DispatchGroup()

    /// The path to which clients connect.
    package var socketPath: String { directory.file("proxy") }

    private init(target: String, faults: ProxyFaults, seed: UInt64) throws {
        directory = try TemporaryDirectory()
        self.target = target
        listener = try UnixSocket.listen(at: directory.file("proxy"))
        state = Mutex(State(faults: faults, generator: SplitMix(seed: seed)))
    }

    deinit {
        close(listener)
    }

    /// Starts a proxy for the socket of a daemon.
    /// - Parameter seed: the seed of the generator; `Settings.seed` draws one and prints it.
    package static func start(target: String, faults: ProxyFaults = ProxyFaults(), seed: UInt64) throws -> FaultyProxy {
        let proxy = try FaultyProxy(target: target, faults: faults, seed: seed)
        proxy.threads.enter()
        try OwnThread.start {
            proxy.acceptConnections()
            proxy.threads.leave()
        }
        return proxy
    }

    /// The number of connections accepted so far.
    package var connectionCount: Int {
        state.withLock { $0.acceptedCount }
    }

    /// The number of connections with a fault: closed at once or ended early. A test should expect it to be larger than
    /// 0, because a run without faults proves nothing.
    package var faultCount: Int {
        state.withLock { $0.faultCount }
    }

    /// The bytes received from clients and the daemon so far, including bytes that were not passed on.
    package var receivedBytes: Int {
        state.withLock { $0.connections }.reduce(0) { $0 + $1.receivedBytes }
    }

    /// Stops passing bytes on in both directions, or continues.
    package func hold(_ isHeld: Bool) {
        state.withLock { $0.isHeld = isHeld }
    }

    /// Sets the faults of connections accepted from now on.
    package func setFaults(_ faults: ProxyFaults) {
        state.withLock { $0.faults = faults }
    }

    /// Ends all existing connections. Clients can connect again.
    package func dropConnections() {
        for connection in state.withLock({ $0.connections }) {
            connection.end()
        }
    }

    /// Accepts no more connections, ends the existing ones, and waits for the proxy's threads.
    package func stop() async {
        state.withLock { $0.isStopped = true }
        shutdown(listener, CInt(SHUT_RDWR))
        dropConnections()
        await withCheckedContinuation { continuation in
            threads.notify(queue: .global()) { continuation.resume() }
        }
    }

    private func acceptConnections() {
        while let client = UnixSocket.accept(listener) {
            let (plan, generator) = state.withLock { state in
                state.acceptedCount += 1
                let plan = ProxyPlan(state.faults, using: &state.generator)
                return (plan, SplitMix(seed: state.generator.next()))
            }
            if plan.isClosedAtOnce {
                countFault()
                close(client)
            } else if let daemon = try? UnixSocket.connect(to: target) {
                start(
                    ProxiedConnection(
                        client: client, daemon: daemon, plan: plan, generator: generator,
                        isHeld: { [weak self] in self?.isHeld ?? false },
                        onPlannedEnd: { [weak self] in self?.countFault() }))
            } else {
                close(client)
            }
        }
    }

    private func start(_ connection: ProxiedConnection) {
        let isStopped = state.withLock { state in
            state.connections.append(connection)
            return state.isStopped
        }
        connection.start(in: threads)
        if isStopped {
            connection.end()
        }
    }

    private var isHeld: Bool {
        state.withLock { $0.isHeld }
    }

    private func countFault() {
        state.withLock { $0.faultCount += 1 }
    }
}

/// Starts a proxy, runs the body, and stops the proxy even if the body throws.
package func withProxy<Result>(
    to target: String, faults: ProxyFaults = ProxyFaults(), seed: UInt64,
    _ body: (FaultyProxy) async throws -> Result
) async throws -> Result {
    let proxy = try FaultyProxy.start(target: target, faults: faults, seed: seed)
    do {
        let result = try await body(proxy)
        await proxy.stop()
        return result
    } catch {
        await proxy.stop()
        throw error
    }
}
