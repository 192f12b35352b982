import Glibc
import ReplicaTransport
import StoreBasics

/// A command whose standard input and output are the other end of a pipe.
final class PipeChild: Sendable {
    private let process: pid_t
    private let command: String
    /// A socket that is connected with the command's standard input and output.
    let socket: Int32

    init(_ arguments: [String]) throws(TransportError) {
        command = arguments[0]
        do throws(SystemError) {
            // Unlike pipe(2), socketpair(2) can mark the sockets so that other programs do not inherit them.
            var ends: [Int32] = [-1, -1]
            let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            try withoutInterruption { socketpair(AF_UNIX, type, 0, &ends) }
            socket = ends[0]
            defer { close(ends[1]) }
            process = try Self.start(arguments, socket: ends[1])
        } catch {
            throw TransportError(.configuration, "the command '\(arguments[0])' cannot be started: \(error)")
        }
    }

    /// Shuts the socket down and waits for the end of the command. Ends the command with signals if it does not end by
    /// itself.
    ///
    /// - Returns: the failure of the command; `nil` if it has succeeded.
    func end() -> String? {
        // The socket stays open, because the task that copies in the other direction may still use its descriptor.
        shutdown(socket, Int32(SHUT_RDWR))
        var status: Int32 = 0
        // The command may continue although its end of the socket is closed, as ssh does with a shared connection.
        for signal in [0, SIGTERM, SIGKILL] {
            if signal != 0 { kill(process, signal) }
            for _ in 0..<Self.endChecks {
                guard waitpid(process, &status, WNOHANG) == 0 else { return signal == 0 ? failure(status) : nil }
                poll(nil, 0, Self.endCheckMilliseconds)
            }
        }
        return nil
    }

    private static let endChecks = 50
    private static let endCheckMilliseconds: Int32 = 100

    private func failure(_ status: Int32) -> String? {
        let (signal, code) = (status & 0x7F, status >> 8 & 0xFF)
        guard signal != 0 || code != 0 else { return nil }
        return signal != 0 ? "'\(command)' was ended by signal \(signal)" : "'\(command)' ended with exit code \(code)"
    }

    private static func start(_ arguments: [String], socket: Int32) throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO)
        // The agent ignores these signals. The command gets their default handling, because it may need them.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        sigaddset(&defaults, SIGHUP)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var process: pid_t = 0
        // The command would inherit this process's umask of 0. With this mask instead, files that the command creates
        // are private.
        let mask = umask(0o077)
        defer { umask(mask) }
        let code = withCStrings(arguments) { texts in
            posix_spawnp(&process, arguments[0], &actions, &attributes, texts, environ)
        }
        guard code == 0 else { throw SystemError(code) }
        return process
    }
}
