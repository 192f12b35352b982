import FoundationEssentials
import Glibc
import StoreBasics
import Synchronization

/// Removes what must not remain after this program, however it ends: child processes and scratch directories.
enum CleanUp {
    private struct Duties {
        /// The running child processes, each with the signal that asks it to stop.
        var processes: [pid_t: CInt] = [:]
        var directories: Set<String> = []
    }

    private static let duties = Mutex(Duties())
    /// The mutex that is held during the cleanup. A second thread that cleans up waits for the first one, which may end
    /// the program meanwhile.
    private static let isCleaning = Mutex(())

    /// The pipe through which a signal handler sends the signal's number to `waitForSignal`. It must exist before the
    /// handlers are installed.
    private static let signalPipe: (read: CInt, write: CInt) = {
        var ends: [CInt] = [-1, -1]
        let result = pipe(&ends)
        precondition(result == 0, "no pipe for signals")
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return (ends[0], ends[1])
    }()

    /// Installs handlers for SIGINT, SIGTERM and SIGHUP that clean up before they end the program.
    static func install() {
        _ = signalPipe
        var thread = pthread_t()
        pthread_create(&thread, nil, { _ in CleanUp.waitForSignal() }, nil)
        pthread_detach(thread)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { number in
                // signal-safety(7) allows only few functions in a handler, and `write` is one of them.
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(CleanUp.signalPipe.write, &byte, 1)
            }
        }
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

    /// Stops the remaining children, kills children that take too long, and removes the scratch directories.
    static func run() {
        isCleaning.withLock { _ in clean() }
    }

    private static func clean() {
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

    /// Waits for the end of a child, and kills it after some seconds.
    static func reap(_ process: pid_t, killAfterSeconds seconds: Double) {
        let deadline = MonotonicClock.nanoseconds + seconds.secondsAsNanoseconds
        while waitpid(process, nil, WNOHANG) == 0 {
            if MonotonicClock.nanoseconds > deadline {
                kill(process, SIGKILL)
            }
            pause(milliseconds: 2)
        }
    }

    private static func waitForSignal() -> UnsafeMutableRawPointer? {
        var number: UInt8 = 0
        while read(signalPipe.read, &number, 1) != 1 {}
        isCleaning.withLock { _ in
            clean()
            _exit(128 + CInt(number))
        }
        return nil
    }
}
