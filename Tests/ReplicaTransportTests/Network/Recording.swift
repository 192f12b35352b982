import GhostTestSupport
import Glibc
import TestBasics

/// A recording of a network's traffic, made by tcpdump, with whole packets.
final class Recording: Sendable {
    static let program: String? = ["/usr/bin/tcpdump", "/usr/sbin/tcpdump"].first { access($0, X_OK) == 0 }

    let path: String
    private let folder: TemporaryDirectory
    private let process: ChildProcess

    init(_ place: NetworkPlace, interface: String) async throws {
        guard let program = Self.program else { throw TestSupportError("tcpdump is not installed") }
        folder = try TemporaryDirectory()
        path = folder.file("packets")
        // tcpdump writes each packet to the file at once (-U). The kernel buffers up to 64 MiB of packets that tcpdump
        // has not read yet (-B).
        let arguments = ["-i", interface, "-s", "0", "-U", "-B", "65536", "-Z", "root", "-w", path, "tcp"]
        let command = place.command(program, arguments)
        process = try Program.launch(command.path, command.arguments, writingTo: folder)
        try await eventually("tcpdump listens") {
            guard process.isRunning else { throw TestSupportError("tcpdump ended: \(folder.read("err"))") }
            return folder.read("err").contains("listening on")
        }
    }

    /// - Throws: an error if tcpdump missed packets.
    func end() async throws {
        process.signal(SIGINT)
        try await process.wait()
        let report = folder.read("err")
        guard report.contains("\n0 packets dropped by kernel") else {
            throw TestSupportError("the record is not whole: \(report)")
        }
    }
}
