import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// Runs ghoststorectl as other users of the machine, which only root may do.
struct OtherUsers: Sendable {
    private let program: String
    private let socketPath: String

    /// Copies the program into the daemon's folder, where every user can run it.
    init(_ daemon: TestDaemon) async throws {
        try #require(chmod(daemon.directory.path, 0o711) == 0)
        program = daemon.directory.file("ghoststorectl")
        socketPath = daemon.socketPath
        let copied = try await Program.run("/bin/cp", ["--reflink=auto", Control.path, program])
        try #require(copied.exitCode == 0 && chmod(program, 0o755) == 0)
    }

    func run(
        _ user: Int, group: Int, alsoIn other: Int? = nil, _ arguments: [String], input: [UInt8] = []
    ) async throws -> ProgramResult {
        let groups = other.map { "--groups=\($0)" } ?? "--clear-groups"
        return try await Program.run(
            "/usr/bin/setpriv", ["--reuid=\(user)", "--regid=\(group)", groups, program] + arguments, input: input,
            environment: ["GHOSTSTORE_SOCKET": socketPath])
    }
}
