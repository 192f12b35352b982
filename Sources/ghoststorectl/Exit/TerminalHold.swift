import Glibc

/// Holds a terminal whose settings this program changes for a while. A signal that ends the program puts them back, and
/// so does one that stops the program (Ctrl-Z), until the program continues. One terminal is held at a time.
struct TerminalHold {
    private let endings: SignalHandlers
    private let stops: SignalHandlers

    private init?(_ terminal: Int32, _ question: String) {
        guard heldTerminal < 0, terminal >= 0, tcgetattr(terminal, &ownSettings) == 0 else { return nil }
        // Never freed: a handler may be reading it on another thread.
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

    /// Runs `body` with a terminal held, or without one where there is none.
    ///
    /// - Parameter question: is shown again when the program continues after a stop.
    static func during<Result: ~Copyable>(
        _ terminal: Int32, _ question: String, _ body: () throws -> Result
    ) throws -> Result {
        guard let hold = TerminalHold(terminal, question) else { return try body() }
        defer { hold.end() }
        return try body()
    }

    /// Runs a body that is asynchronous, and asks nothing.
    static func during<Result>(_ terminal: Int32, _ body: () async throws -> Result) async throws -> Result {
        guard let hold = TerminalHold(terminal, "") else { return try await body() }
        defer { hold.end() }
        return try await body()
    }

    /// For handlers: makes only calls that are safe in one (signal-safety(7)).
    static func putBack() {
        // A program in the background that changes the terminal is stopped (termios(3)).
        guard heldTerminal >= 0, tcgetpgrp(heldTerminal) == getpgrp() else { return }
        tcsetattr(heldTerminal, TCSANOW, &ownSettings)
    }

    /// For a handler, as that: returns when the program continues.
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

// A signal handler can reach nothing but globals. They are written by the one task of a command, the others before
// the descriptor that makes them count; -1 while no terminal is held.
nonisolated(unsafe) private var heldTerminal: Int32 = -1
nonisolated(unsafe) private var ownSettings = termios()
nonisolated(unsafe) private var heldQuestion: UnsafeMutablePointer<CChar>?
