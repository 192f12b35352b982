import Glibc
import StoreBasics
import StoreClient
import Synchronization

/// A ghoststored process in a temporary folder, and the guard that ends the process and removes the folder.
final class TemporaryDaemon: Sendable {
    private struct Running {
        let daemon: pid_t
        let guardian: Guardian
    }

    private let folder: String
    private let running: Mutex<Running?>

    var socketPath: String { "\(folder)/socket" }
    private var logPath: String { "\(folder)/log" }

    /// - Parameter shell: the shell that runs the guard's script. A test of a failing guard passes a program that does
    ///   not run the script.
    init(program: String, settings: [String: String], shell: String = "/bin/sh") throws(StoreClientError) {
        folder = try Self.makeFolder()
        let guardian: Guardian
        do throws(StoreClientError) {
            // Start the guard before the daemon: whatever happens from here on, the guard removes the folder.
            guardian = try Guardian(of: folder, shell: shell)
        } catch {
            rmdir(folder)
            throw error
        }
        var daemon: pid_t?
        do throws(StoreClientError) {
            let started = try Self.start(program, folder: folder, settings: settings)
            daemon = started
            try guardian.register(started)
            running = Mutex(Running(daemon: started, guardian: guardian))
        } catch {
            // Kill the daemon here, because the guard has ended or does not know the daemon's process id.
            if let daemon {
                kill(daemon, SIGKILL)
                waitForEnd(of: daemon)
            }
            guardian.end()
            Self.remove(folder)
            throw error
        }
    }

    deinit {
        stop()
    }

    var log: String {
        guard let bytes = try? Self.read(logPath) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Waits until the daemon answers, and connects to it.
    func connect(_ configuration: ClientConfiguration) async throws(StoreClientError) -> StoreClient {
        let end = MonotonicClock.nanoseconds + 30_000_000_000
        while true {
            do throws(StoreClientError) {
                return try await StoreClient.connect(to: socketPath, configuration: configuration)
            } catch {
                let isStarting = error.reason == .socketAbsent || error.reason == .daemonUnreachable
                guard isStarting, isAlive, MonotonicClock.nanoseconds < end else {
                    let cause = isAlive ? "does not answer: \(error.message)" : "ended before it answered"
                    throw StoreClientError(
                        code: .unavailable, reason: .daemonUnreachable,
                        message: "the daemon of a temporary store \(cause); its log: \(log)")
                }
            }
            do {
                try await Task.sleep(for: .milliseconds(1))
            } catch {
                throw StoreClientError(
                    code: .cancelled, reason: .cancelled, message: "the task was cancelled while the daemon started")
            }
        }
    }

    /// Blocks until the daemon has ended and the folder is removed.
    func stop() {
        guard let running = running.withLock({ $0.take() }) else { return }
        // The guard kills the daemon. Its process id cannot be reused before `waitForEnd` is called.
        running.guardian.end()
        waitForEnd(of: running.daemon)
    }

    private var isAlive: Bool {
        running.withLock { running in
            guard let running else { return false }
            var information = siginfo_t()
            return waitid(P_PID, id_t(running.daemon), &information, WEXITED | WNOHANG | WNOWAIT) == 0
                && information.si_signo != SIGCHLD
        }
    }
}

/// The functions that start the daemon and remove its folder.
extension TemporaryDaemon {
    /// Creates the folder in memory if the system supports this, because its content is not needed after the test.
    private static func makeFolder() throws(StoreClientError) -> String {
        let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/ghoststore-XXXXXX".utf8CString)
        let path = template.withUnsafeMutableBufferPointer { text in
            text.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let path else { throw .temporaryStore("could not create a folder in \(parent)", SystemError.last) }
        return path
    }

    /// Removes the folder if the guard has not done so.
    private static func remove(_ folder: String) {
        guard access(folder, F_OK) == 0, let remover = try? ChildStart("/bin/rm", ["-rf", folder]).start() else {
            return
        }
        waitForEnd(of: remover)
    }

    private static func start(
        _ program: String, folder: String, settings: [String: String]
    ) throws(StoreClientError) -> pid_t {
        // Use a key file, which needs no key derivation, so that the store is open at once.
        var randomness = SystemRandomNumberGenerator()
        let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &randomness) }
        let descriptor = open("\(folder)/key", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .temporaryStore("could not create \(folder)/key", SystemError.last) }
        defer { close(descriptor) }
        try write(key, to: descriptor)
        let arguments = [
            "--create", "--state-directory", "\(folder)/state", "--key-file", "\(folder)/key",
            "--socket", "\(folder)/socket",
        ]
        return try ChildStart(program, arguments, environment: settings, outputPath: "\(folder)/log").start()
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(StoreClientError) {
        do throws(SystemError) {
            try bytes.withUnsafeBufferPointer { (memory) throws(SystemError) in
                try FileDescriptorCalls.write(descriptor, UnsafeRawBufferPointer(memory))
            }
        } catch {
            throw .temporaryStore("could not write", error)
        }
    }

    private static func read(_ path: String) throws(SystemError) -> [UInt8] {
        let descriptor = try withoutInterruption { open(path, O_RDONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        let count = try withoutInterruption { lseek(descriptor, 0, SEEK_END) }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        let read = try bytes.withUnsafeMutableBufferPointer { (memory) throws(SystemError) in
            try FileDescriptorCalls.read(descriptor, into: UnsafeMutableRawBufferPointer(memory), at: 0)
        }
        return Array(bytes[..<read])
    }
}

extension StoreClientError {
    static func temporaryStore(_ what: String, _ error: SystemError) -> StoreClientError {
        StoreClientError(
            code: .unavailable, reason: .inputOutputFailed,
            message: "\(what): \(error); hint: make /dev/shm or /tmp writable, or raise the limit of processes")
    }
}
