import GhostTestSupport
import Glibc
import TestBasics

/// A network of namespaces. Each namespace has an address and a link to one of two bridges, `near` and `far`.
/// Namespaces on different bridges cannot reach each other. The test itself is on the bridge `near`.
///
/// A namespace exists only as long as a process in it, so nothing remains of it after the test in any case.
final class NamespaceNetwork: Sendable {
    enum Side: String {
        case near, far
    }

    let places: [NetworkPlace]
    private let hub: ChildProcess
    private let holders: [ChildProcess]
    private let directory: TemporaryDirectory

    /// Returns true if this user may create namespaces, and the kernel supports bridges and links between them.
    static func isPossible() async -> Bool {
        let script = "unshare --net sh -c 'ip link add near type bridge && ip link add one type veth peer name two'"
        return (try? await Program.shell(script))?.exitCode == 0
    }

    static func make(places count: Int) async throws -> NamespaceNetwork {
        let directory = try TemporaryDirectory()
        let holders = try (0...count).map { _ in
            try Program.launch("/usr/bin/unshare", ["--net", "sleep", "infinity"], writingTo: directory)
        }
        try await eventually("processes stand in namespaces of their own") {
            let own = Self.namespace("self")
            return holders.allSatisfy { $0.isRunning && Self.namespace("\($0.id)").map { $0 != own } ?? false }
        }
        let subnet = try await attachHub(holders[0].id)
        let network = NamespaceNetwork(holders, subnet, directory)
        for index in network.places.indices {
            try await network.attach(index)
        }
        return network
    }

    private init(_ all: [ChildProcess], _ subnet: String, _ directory: TemporaryDirectory) {
        hub = all[0]
        holders = Array(all.dropFirst())
        places = holders.enumerated().map {
            NetworkPlace(address: "\(subnet).\($0.offset + 1)", holder: $0.element.id)
        }
        self.directory = directory
    }

    private static func namespace(_ process: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 256)
        let count = readlink("/proc/\(process)/ns/net", &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    /// Creates the bridges and the link of the test itself.
    ///
    /// - Returns: the first three numbers of the network's addresses.
    private static func attachHub(_ hub: Int32) async throws -> String {
        try await run(
            "for side in near far; do ip link add $side type bridge; ip link set $side up; done", in: hub)
        for number in (0...255).shuffled() {
            let made = try await Program.shell("ip link add ghosts\(number) type veth peer name test netns \(hub)")
            guard made.exitCode == 0 else { continue }
            try await run("ip link set test master near up", in: hub)
            try await shell(
                "ip addr add 10.213.\(number).254/24 dev ghosts\(number); ip link set ghosts\(number) up")
            return "10.213.\(number)"
        }
        throw TestSupportError("no link into a namespace could be made")
    }

    private func attach(_ index: Int) async throws {
        let holder = holders[index].id
        try await Self.run(
            """
            ip link add link\(index) type veth peer name outside netns \(holder)
            ip link set link\(index) master near up
            """, in: hub.id)
        try await Self.run(
            "ip addr add \(places[index].address)/24 dev outside; ip link set outside up; ip link set lo up",
            in: holder)
    }

    // MARK: Faults

    func move(_ index: Int, to side: Side) async throws {
        try await Self.run("ip link set link\(index) master \(side.rawValue)", in: hub.id)
    }

    /// Limits the throughput of a link in both directions. Packets beyond the limit wait.
    ///
    /// - Parameter kilobitsPerSecond: the limit, or `nil` for none.
    func limit(_ index: Int, kilobitsPerSecond: Int?) async throws {
        for (process, link) in [(hub.id, "link\(index)"), (holders[index].id, "outside")] {
            if let kilobitsPerSecond {
                let rate = "rate \(kilobitsPerSecond)kbit burst 4kb latency 2s"
                try await Self.run("tc qdisc add dev \(link) root tbf \(rate)", in: process)
            } else {
                try await Self.run("tc qdisc del dev \(link) root", in: process)
            }
        }
    }

    /// Starts to record all traffic on the near bridge.
    func record() async throws -> Recording {
        try await Recording(NetworkPlace(address: "", holder: hub.id), interface: "near")
    }

    private static func run(_ script: String, in process: Int32) async throws {
        try await shell("nsenter --target \(process) --net sh -ec '\(script)'")
    }

    private static func shell(_ script: String) async throws {
        let result = try await Program.shell("set -e; PATH=$PATH:/usr/sbin:/sbin; \(script)")
        guard result.exitCode == 0 else { throw TestSupportError("\(script): \(result.errorOutput)") }
    }
}
