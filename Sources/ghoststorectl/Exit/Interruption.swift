import Glibc
import Synchronization

/// Postpones the end that a signal requests, so that a command can delete what it would leave in the daemon.
enum Interruption {
    /// True if a signal has requested the end of the program.
    static var isRequested: Bool {
        requestedSignal.load(ordering: .relaxed) != 0
    }

    /// - Throws: A failure if a signal has requested the end. The failure is not shown, because the signal then ends
    ///   the program.
    static func check() throws(CommandFailure) {
        if isRequested {
            throw CommandFailure(.temporary, "interrupted")
        }
    }

    /// Runs `body` to its end. After a signal, `check()` throws, and `body` should then end soon. Afterwards the
    /// program ends as that signal would end it. A second signal ends the program at once.
    ///
    /// - Parameter waitingFor: The text that is printed on the first signal, after "interrupted: ".
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

    /// Runs `body`. On a signal, the program prints what continues in the daemon, and ends at once.
    static func withNotice<Result>(_ goesOn: String, _ body: () async throws -> Result) async throws -> Result {
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

    /// Sets the text to print on a signal. For people it starts on a new line, because the terminal prints `^C` at the
    /// cursor.
    private static func setNotice(_ text: String) {
        // Never freed, because a handler may be reading it on another thread.
        notice = strdup((Diagnostics.isForPrograms ? "" : "\n") + Diagnostics.notice("interrupted: \(text)"))
    }

    /// Handles a signal in a shell. Makes only calls that are safe in a signal handler (signal-safety(7)).
    ///
    /// - Returns: True if the running command must end at once.
    static func heedInShell(_ number: Int32) -> Bool {
        let isFirst = requestedSignal.exchange(number, ordering: .relaxed) == 0
        if isFirst, let notice {
            write(STDERR_FILENO, notice, strlen(notice))
        }
        return !(isFirst && isDeferring.load(ordering: .relaxed))
    }

    /// Forgets an earlier signal before a command of a shell begins.
    static func forget() {
        requestedSignal.store(0, ordering: .relaxed)
    }

    /// Ends the program by a signal. The signal must be unblocked first, because the threads of the concurrency pool
    /// block signals.
    private static func end(by number: Int32) {
        var only = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, number)
        pthread_sigmask(SIG_UNBLOCK, &only, nil)
        raise(number)
    }
}

// A signal handler can use only globals. `deferred` and `withNotice` set what their handlers use before they install
// the handlers.
private let requestedSignal = Atomic<Int32>(0)
private let isDeferring = Atomic<Bool>(false)
nonisolated(unsafe) private var notice: UnsafeMutablePointer<CChar>?
