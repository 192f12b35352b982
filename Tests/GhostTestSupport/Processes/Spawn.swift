import Glibc
import StoreBasics
import Synchronization

/// posix_spawn(3) with Swift types.
enum Spawn {
    /// The lock against inheriting descriptors by accident. It is held while a process is started, and from the
    /// creation of a descriptor until its close-on-exec flag is set.
    private static let lock = Mutex<Void>(())

    static func spawn(
        _ path: String, arguments: [String], environment: [String: String],
        actions: inout posix_spawn_file_actions_t, hasSession: Bool = false
    ) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        var defaulted = sigset_t()
        sigemptyset(&defaulted)
        for number in [SIGPIPE, SIGTERM, SIGINT, SIGHUP, SIGUSR1] {
            sigaddset(&defaulted, number)
        }
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setsigdefault(&attributes, &defaulted)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | (hasSession ? Spawn.newSession : 0))
        let variables = environment.map { "\($0.key)=\($0.value)" }
        var id: pid_t = 0
        let code = withCStrings([path] + arguments) { argumentPointers in
            withCStrings(variables) { variablePointers in
                lock.withLock { _ in
                    posix_spawn(&id, path, &actions, &attributes, argumentPointers, variablePointers)
                }
            }
        }
        guard code == 0 else { throw TestSupportError("could not start \(path): \(SystemError(code))") }
        return id
    }

    /// POSIX_SPAWN_SETSID, which the C library declares only with _GNU_SOURCE. The child gets a new session, in which
    /// the first terminal that it opens becomes its controlling terminal.
    private static let newSession: Int16 = 0x80

    /// Creates a pipe that child processes do not inherit.
    static func closeOnExecPipe() throws -> (read: CInt, write: CInt) {
        var ends: [CInt] = [0, 0]
        let isMade = lock.withLock { _ in
            pipe(&ends) == 0 && ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
        }
        guard isMade else { throw TestSupportError("could not make a pipe: \(SystemError.last)") }
        return (ends[0], ends[1])
    }
}
