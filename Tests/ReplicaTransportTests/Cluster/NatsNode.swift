import FoundationEssentials
import GhostTestSupport
import Glibc
import Synchronization
import TestBasics

/// A nats-server process with its own folder. The process never outlives the test process.
final class NatsNode: Sendable {
    static let program: String? = ["/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"]
        .first { access($0, X_OK) == 0 }

    let name: String
    let url: String
    private let place: NetworkPlace
    private let directory: TemporaryDirectory
    private let process = Mutex<ChildProcess?>(nil)

    struct Address: Sendable {
        let place: NetworkPlace
        let port: UInt16
        let routePort: UInt16

        var url: String { "nats://\(place.address):\(port)" }
        var route: String { "nats-route://\(place.address):\(routePort)" }
    }

    /// - Parameters:
    ///   - routes: all members of the cluster including this one, or none for a single server.
    ///   - more: additional configuration lines.
    init(name: String, _ address: Address, routes: [Address], more: String) throws {
        self.name = name
        url = address.url
        place = address.place
        directory = try TemporaryDirectory()
        let others = routes.map(\.route).joined(separator: ", ")
        let listen = "\(place.address):\(address.routePort)"
        let cluster = routes.isEmpty ? "" : "cluster { name: ghosts, listen: \"\(listen)\", routes: [\(others)] }"
        try directory.write(
            """
            server_name: \(name)
            listen: "\(place.address):\(address.port)"
            jetstream { store_dir: "\(storePath)", max_mem: 64MB, max_file: 1GB }
            \(cluster)
            \(more)
            """, to: "configuration")
    }

    /// The folder in which the server stores messages.
    var storePath: String { directory.file("store") }
    var log: String { directory.read("err") + directory.read("out") }

    func start() throws {
        guard let program = Self.program else { throw TestSupportError("nats-server is not installed") }
        let command = place.command(program, ["-c", directory.file("configuration")])
        let started = try Program.launch(command.path, command.arguments, writingTo: directory)
        process.withLock { $0 = started }
    }

    func kill9() async throws {
        let running = process.withLock { $0 }
        try await running?.kill9()
        process.withLock { $0 = nil }
    }

    func restart() async throws {
        try await kill9()
        try start()
    }

    /// Stops the process without closing its connections.
    func freeze() {
        process.withLock { $0 }?.signal(SIGSTOP)
    }

    func thaw() {
        process.withLock { $0 }?.signal(SIGCONT)
    }

    /// Kills the server and deletes everything that it has stored.
    func wipe() async throws {
        try await kill9()
        try? FileManager.default.removeItem(atPath: storePath)
    }
}

/// Finds unused ports on the loopback interface.
enum FreePorts {
    static func take(_ count: Int) throws -> [UInt16] {
        var sockets: [Int32] = []
        defer { sockets.forEach { close($0) } }
        return try (0..<count).map { _ in
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            sockets.append(descriptor)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
                }
            }
            guard isBound else { throw TestSupportError("no free port") }
            return UInt16(bigEndian: address.sin_port)
        }
    }
}
