import Glibc
import StoreBasics

/// Debian's nats-server with JetStream on the loopback interface: one server, or a cluster.
final class NatsPeer {
    let urls: [String]
    let version: String
    private let nodes: [ChildProcess]

    /// - Parameter prefix: a program with its arguments that starts each server.
    init(scratch: ScratchDirectory, count: Int, prefix: [String]) throws(BenchError) {
        let program = try Programs.require(
            "nats-server", at: ["nats-server", "/usr/sbin/nats-server"], package: "nats-server")
        let said = try ChildProcess.run([program, "--version"], outputPath: scratch.file("nats-version"))
        version = said.split(whereSeparator: \.isWhitespace).last.map { String($0.drop { $0 == "v" }) } ?? "unknown"
        let ports = try FreePorts.take(count * 2)
        urls = ports.prefix(count).map { "nats://127.0.0.1:\($0)" }
        let routes = count > 1 ? Array(ports.suffix(count)) : []
        var nodes: [ChildProcess] = []
        for index in 0..<count {
            let directory = try scratch.subdirectory("nats-\(index + 1)")
            let path = directory.file("configuration")
            let text = Self.configuration(
                "n\(index + 1)", port: ports[index], routePort: ports[count + index], routes: routes, directory)
            try TextFile.write(text, to: path)
            nodes.append(try ChildProcess(prefix + [program, "-c", path], outputPath: directory.file("log")))
        }
        self.nodes = nodes
    }

    private static func configuration(
        _ name: String, port: UInt16, routePort: UInt16, routes: [UInt16], _ directory: ScratchDirectory
    ) -> String {
        let others = routes.map { "nats-route://127.0.0.1:\($0)" }.joined(separator: ", ")
        let cluster =
            routes.isEmpty ? "" : "cluster { name: bench, listen: \"127.0.0.1:\(routePort)\", routes: [\(others)] }"
        return """
            server_name: \(name)
            listen: "127.0.0.1:\(port)"
            jetstream { store_dir: "\(directory.file("store"))", max_mem: 64MB, max_file: 8GB }
            \(cluster)

            """
    }

    var processIDs: [pid_t] { nodes.map(\.processID) }

    func requireRunning() throws(BenchError) {
        for node in nodes {
            try node.requireRunning()
        }
    }

    func stop() {
        nodes.forEach { $0.stop() }
    }

    deinit {
        stop()
    }
}

/// Finds unused ports on the loopback interface.
private enum FreePorts {
    static func take(_ count: Int) throws(BenchError) -> [UInt16] {
        var sockets: [CInt] = []
        // All sockets stay open until the last port is known. Otherwise the system could assign the same port each
        // time.
        defer { sockets.forEach { close($0) } }
        var ports: [UInt16] = []
        for _ in 0..<count {
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
            guard isBound else { throw BenchError("no free port on loopback: \(SystemError.last)") }
            ports.append(UInt16(bigEndian: address.sin_port))
        }
        return ports
    }
}
