import GhostTestSupport
import Glibc
import StoreBasics
import TestBasics
import Testing

/// Sockets through which commands of this process reach the daemon as other users. For each user, a socat of that user
/// connects to the daemon. Only root may run programs as other users.
final class UserRelays {
    private let daemon: TestDaemon
    private let folder: TemporaryDirectory
    private var relays: [Int: RunningProgram] = [:]

    init(_ daemon: TestDaemon) throws {
        self.daemon = daemon
        folder = try TemporaryDirectory()
        // Every user must be able to create a relay socket in `folder`, and to reach the daemon's socket in the
        // daemon's folder.
        try #require(chmod(folder.path, 0o777) == 0 && chmod(daemon.directory.path, 0o711) == 0)
    }

    /// - Parameter user: a user id. The user's only group has the same number.
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
