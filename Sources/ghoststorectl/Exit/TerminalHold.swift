import Glibc

/// Holds a terminal whose settings this program changes for a while. A signal that ends the program puts them back, and
/// so does one that stops it (Ctrl-Z), until it goes on. One within another leaves that to the outer one.
struct TerminalHold {
    /// What a terminal is sent as a signal takes the program away from it, and as it comes back.
    ///
    /// `@unchecked Sendable` because neither text is ever changed or freed: a handler may be reading it.
    struct Words: @unchecked Sendable {
        static let none = Words()

        fileprivate let farewell: UnsafeMutablePointer<CChar>?
        fileprivate let greeting: UnsafeMutablePointer<CChar>?

        init(farewell: String = "", greeting: String = "") {
            self.farewell = farewell.isEmpty ? nil : strdup(farewell)
            self.greeting = greeting.isEmpty ? nil : strdup(greeting)
        }
    }

    /// While another program has the terminal.
    struct Loan {
        fileprivate let terminal: Int32
        fileprivate let settings: termios
    }

    private let isOutermost: Bool
    private let outerWords: Words
    private let endings: SignalHandlers
    private let stops: SignalHandlers

    private init?(_ terminal: Int32, _ words: Words) {
        isOutermost = heldTerminal < 0
        guard !isOutermost || (terminal >= 0 && tcgetattr(terminal, &ownSettings) == 0) else { return nil }
        outerWords = heldWords
        heldWords = words
        if isOutermost {
            heldTerminal = terminal
        }
        endings = SignalEnding.heedSignals()
        stops = SignalHandlers([SIGTSTP], onlyUnheeded: true) { TerminalHold.stop($0) }
    }

    private func end() {
        stops.putBack()
        endings.putBack()
        if isOutermost {
            heldTerminal = -1
        }
        heldWords = outerWords
    }

    /// Runs `body` with a terminal held, or without one where there is none.
    static func during<Result: ~Copyable>(
        _ terminal: Int32, _ words: Words = .none, _ body: () throws -> Result
    ) throws -> Result {
        guard let hold = TerminalHold(terminal, words) else { return try body() }
        defer { hold.end() }
        return try body()
    }

    /// The same while something goes on.
    static func during<Result>(
        _ terminal: Int32, _ words: Words = .none, _ body: () async throws -> Result
    ) async throws -> Result {
        guard let hold = TerminalHold(terminal, words) else { return try await body() }
        defer { hold.end() }
        return try await body()
    }

    /// Gives another program the terminal as this one has got it.
    ///
    /// - Returns: `nil` where none is held.
    static func lend() -> Loan? {
        guard heldTerminal >= 0 else { return nil }
        var settings = termios()
        tcgetattr(heldTerminal, &settings)
        let loan = Loan(terminal: heldTerminal, settings: settings)
        heldTerminal = -1
        tcsetattr(loan.terminal, TCSADRAIN, &ownSettings)
        return loan
    }

    static func takeBack(_ loan: Loan) {
        var settings = loan.settings
        tcsetattr(loan.terminal, TCSADRAIN, &settings)
        heldTerminal = loan.terminal
    }

    /// What Ctrl-Z does where a terminal makes no signal of it.
    static func stopProgram() {
        kill(0, SIGTSTP)
    }

    /// For handlers: makes only calls that are safe in one (signal-safety(7)).
    static func putBack() {
        // A program in the background that changes the terminal is stopped (termios(3)).
        guard heldTerminal >= 0, tcgetpgrp(heldTerminal) == getpgrp() else { return }
        tcsetattr(heldTerminal, TCSANOW, &ownSettings)
        send(heldWords.farewell)
    }

    /// Standard input may be opened for reading alone.
    private static func send(_ text: UnsafeMutablePointer<CChar>?) {
        if let text, write(heldTerminal, text, strlen(text)) < 0 {
            write(STDOUT_FILENO, text, strlen(text))
        }
    }

    /// For a handler, as that: returns when the program goes on.
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
            send(heldWords.greeting)
            // Whoever draws on the terminal draws anew.
            raise(SIGWINCH)
        }
        errno = before
    }
}

// A signal handler can reach nothing but globals. They are written by the one task of a command, the settings before
// the descriptor that makes them count; -1 while no terminal is held.
nonisolated(unsafe) private var heldTerminal: Int32 = -1
nonisolated(unsafe) private var ownSettings = termios()
nonisolated(unsafe) private var heldWords = TerminalHold.Words.none
