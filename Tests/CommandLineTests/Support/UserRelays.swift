import GhostTestSupport
import Glibc
import StoreBasics
import TestBasics
import Testing

/// Sockets at which a command of this process is another user to the daemon: behind each of them a socat connects to
/// the daemon as that user. Only root may run programs as other users.
final class UserRelays {
    private let daemon: TestDaemon
    private let folder: TemporaryDirectory
    private var relays: [Int: RunningProgram] = [:]

    init(_ daemon: TestDaemon) throws {
        self.daemon = daemon
        folder = try TemporaryDirectory()
        // Every user makes a socket in the one folder, and reaches the daemon's socket in the other.
        try #require(chmod(folder.path, 0o777) == 0 && chmod(daemon.directory.path, 0o711) == 0)
    }

    /// - Parameter user: has a group of the same number and no other.
    func control(of user: Int) async throws -> Control {
        let path = folder.file("\(user)")
        if relays[user] == nil {
            relays[user] = try RunningProgram(
                "/usr/bin/setpriv",
                [
                    "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "socat", "UNIX-LISTEN:\(path),fork",
                    "UNIX-CONNECT:\(daemon.socketPath)",
                ])
            try await eventually("socat listens at \(path)") {
                guard let descriptor = try? UnixSocket.connect(to: path) else { return false }
                return close(descriptor) == 0
            }
        }
        return Control(socketPath: path)
    }
}
