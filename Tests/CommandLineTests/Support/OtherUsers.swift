import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// ghoststorectl as other users of the machine, as whom only root may run programs.
struct OtherUsers: Sendable {
    private let program: String
    private let socketPath: String

    /// Puts a copy of the program that every user can reach into the folder of the daemon.
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
