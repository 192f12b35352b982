import Glibc
import Synchronization

/// Puts off the end that a signal asks for, so that a command can clear away what it would leave behind in the daemon.
enum Interruption {
    /// A signal has asked to end.
    static var isRequested: Bool {
        requestedSignal.load(ordering: .relaxed) != 0
    }

    /// - Throws: once a signal has asked to end; what it says is not shown.
    static func check() throws(CommandFailure) {
        if isRequested {
            throw CommandFailure(.temporary, "interrupted")
        }
    }

    /// Runs `body` to its end, which should come soon after `check()` throws; if a signal has come by then, the program
    /// ends by it. A second signal ends the program at once.
    ///
    /// - Parameter waitingFor: what is told on the first signal, after "interrupted: ".
    static func deferred<Result>(
        _ waitingFor: String, _ body: () async throws -> Result
    ) async throws -> Result {
        guard ProgramRun.current.ownsProcess else { return try await body() }
        setNotice("\(waitingFor); interrupt again to end at once")
        requestedSignal.store(0, ordering: .relaxed)
        isDeferring.store(true, ordering: .relaxed)
        let handlers = SignalHandlers(signals) { number in
            // Only calls that are safe in a signal handler (signal-safety(7)).
            if requestedSignal.exchange(number, ordering: .relaxed) == 0 {
                if let notice {
                    write(STDERR_FILENO, notice, strlen(notice))
                }
            } else {
                SignalEnding.now(number)
            }
        }
        defer {
            handlers.putBack()
            isDeferring.store(false, ordering: .relaxed)
            notice = nil
            let number = requestedSignal.load(ordering: .relaxed)
            if number != 0, !(number == SIGINT && ShellInterrupts.areHeeded) {
                end(by: number)
            }
        }
        return try await body()
    }

    /// Runs `body`, which a signal ends with the program, as it would without this; but what then goes on in the daemon
    /// is told.
    static func told<Result>(_ goesOn: String, _ body: () async throws -> Result) async throws -> Result {
        guard ProgramRun.current.ownsProcess else { return try await body() }
        setNotice(goesOn)
        let handlers = SignalHandlers(signals) { number in
            // Only calls that are safe in a signal handler (signal-safety(7)).
            if let notice {
                write(STDERR_FILENO, notice, strlen(notice))
            }
            SignalEnding.now(number)
        }
        defer {
            handlers.putBack()
            notice = nil
        }
        return try await body()
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// For people on a line of its own: a terminal shows `^C` where the signal comes.
    private static func setNotice(_ text: String) {
        // Never freed: a handler may be reading it on another thread.
        notice = strdup((Diagnostics.isForPrograms ? "" : "\n") + Diagnostics.notice("interrupted: \(text)"))
    }

    /// What a shell's handler does. Makes only calls that are safe in one (signal-safety(7)).
    ///
    /// - Returns: whether the command that runs is to end at once.
    static func heedInShell(_ number: Int32) -> Bool {
        let isFirst = requestedSignal.exchange(number, ordering: .relaxed) == 0
        if isFirst, let notice {
            write(STDERR_FILENO, notice, strlen(notice))
        }
        return !(isFirst && isDeferring.load(ordering: .relaxed))
    }

    /// Before a command of a shell begins.
    static func forget() {
        requestedSignal.store(0, ordering: .relaxed)
    }

    /// The threads of the concurrency pool have signals blocked.
    private static func end(by number: Int32) {
        var only = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, number)
        pthread_sigmask(SIG_UNBLOCK, &only, nil)
        raise(number)
    }
}

// A signal handler can reach nothing but globals. Both are set before the handler is installed.
private let requestedSignal = Atomic<Int32>(0)
private let isDeferring = Atomic<Bool>(false)
nonisolated(unsafe) private var notice: UnsafeMutablePointer<CChar>?
