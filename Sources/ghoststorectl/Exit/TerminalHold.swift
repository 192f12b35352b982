import Glibc

/// Holds a terminal whose settings this program changes temporarily. A signal that ends the program restores the
/// settings. A signal that stops the program (Ctrl-Z) restores the settings until the program continues. Only one
/// terminal is held at a time.
struct TerminalHold {
    private let endings: SignalHandlers
    private let stops: SignalHandlers

    private init?(_ terminal: Int32, _ question: String) {
        guard heldTerminal < 0, terminal >= 0, tcgetattr(terminal, &ownSettings) == 0 else { return nil }
        // Never freed, because a handler may be reading it on another thread.
        heldQuestion = question.isEmpty ? nil : strdup(question)
        heldTerminal = terminal
        endings = SignalEnding.heedSignals()
        stops = SignalHandlers([SIGTSTP], onlyUnheeded: true) { TerminalHold.stop($0) }
    }

    private func end() {
        stops.putBack()
        endings.putBack()
        heldTerminal = -1
    }

    /// Runs `body` while the terminal is held. Without a terminal, it only runs `body`.
    ///
    /// - Parameter question: The text to print again when the program continues after a stop.
    static func during<Result: ~Copyable>(
        _ terminal: Int32, _ question: String, _ body: () throws -> Result
    ) throws -> Result {
        guard let hold = TerminalHold(terminal, question) else { return try body() }
        defer { hold.end() }
        return try body()
    }

    /// Runs an asynchronous `body` while the terminal is held. Without a terminal, it only runs `body`. It prints
    /// nothing when the program continues after a stop.
    static func during<Result>(_ terminal: Int32, _ body: () async throws -> Result) async throws -> Result {
        guard let hold = TerminalHold(terminal, "") else { return try await body() }
        defer { hold.end() }
        return try await body()
    }

    /// Restores the settings. For signal handlers: makes only calls that are safe in one (signal-safety(7)).
    static func putBack() {
        // The kernel stops a background program that changes the terminal (termios(3)).
        guard heldTerminal >= 0, tcgetpgrp(heldTerminal) == getpgrp() else { return }
        tcsetattr(heldTerminal, TCSANOW, &ownSettings)
    }

    /// Restores the settings and stops the program; returns when it continues. For a signal handler, like `putBack`.
    private static func stop(_ number: Int32) {
        let before = errno
        var settings = termios()
        let isHeld = heldTerminal >= 0 && tcgetattr(heldTerminal, &settings) == 0
        putBack()
        signal(number, SIG_DFL)
        var only = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, number)
        pthread_sigmask(SIG_UNBLOCK, &only, nil)
        raise(number)
        signal(number) { TerminalHold.stop($0) }
        if isHeld, heldTerminal >= 0 {
            tcsetattr(heldTerminal, TCSANOW, &settings)
            if let heldQuestion {
                write(heldTerminal, heldQuestion, strlen(heldQuestion))
            }
        }
        errno = before
    }
}

// A signal handler can use only globals. The task of the running command writes these: `heldTerminal` last, because a
// handler uses the others only if `heldTerminal` is set. It is -1 while no terminal is held.
nonisolated(unsafe) private var heldTerminal: Int32 = -1
nonisolated(unsafe) private var ownSettings = termios()
nonisolated(unsafe) private var heldQuestion: UnsafeMutablePointer<CChar>?
