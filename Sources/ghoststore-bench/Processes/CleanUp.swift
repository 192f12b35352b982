import FoundationEssentials
import Glibc
import Synchronization

/// What must be gone when this program ends, however it ends: child processes and scratch directories.
enum CleanUp {
    private struct Duties {
        /// With the signal that asks each to stop.
        var processes: [pid_t: CInt] = [:]
        var directories: Set<String> = []
    }

    private static let duties = Mutex(Duties())

    /// Signals that end the program; the threads of this process never take them, `waitForSignal` does.
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Must be called on the first thread, before any other is started.
    static func install() {
        var set = signalSet
        pthread_sigmask(SIG_BLOCK, &set, nil)
        var thread = pthread_t()
        pthread_create(&thread, nil, { _ in CleanUp.waitForSignal() }, nil)
        pthread_detach(thread)
    }

    static var signalSet: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals {
            sigaddset(&set, signal)
        }
        return set
    }

    static func add(process: pid_t, stopSignal: CInt) {
        duties.withLock { $0.processes[process] = stopSignal }
    }

    static func remove(process: pid_t) {
        duties.withLock { _ = $0.processes.removeValue(forKey: process) }
    }

    static func add(directory: String) {
        duties.withLock { _ = $0.directories.insert(directory) }
    }

    /// Stops the children that are left, kills those that take too long, and removes the scratch directories.
    static func run() {
        let left = duties.withLock { duties in
            defer { duties = Duties() }
            return duties
        }
        for (process, stopSignal) in left.processes {
            kill(process, stopSignal)
        }
        for process in left.processes.keys {
            reap(process, killAfterSeconds: 10)
        }
        for directory in left.directories {
            try? FileManager.default.removeItem(atPath: directory)
        }
    }

    /// Waits for the end of a child.
    static func reap(_ process: pid_t, killAfterSeconds seconds: Double) {
        let deadline = MonotonicClock.nanoseconds() + seconds.secondsAsNanoseconds
        while waitpid(process, nil, WNOHANG) == 0 {
            if MonotonicClock.nanoseconds() > deadline {
                kill(process, SIGKILL)
            }
            MonotonicClock.sleep(milliseconds: 2)
        }
    }

    private static func waitForSignal() -> UnsafeMutableRawPointer? {
        var set = signalSet
        var signal: CInt = 0
        while sigwait(&set, &signal) != 0 {}
        run()
        _exit(128 + signal)
    }
}
