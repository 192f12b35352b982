import Glibc

/// Puts the terminal's echo back when a signal ends the program in the middle of a prompt.
enum TerminalGuard {
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    static var isThereATerminal: Bool {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            return false
        }
        close(terminal)
        return true
    }

    static func restoringOnSignal<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
        guardedTerminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard guardedTerminal >= 0, tcgetattr(guardedTerminal, &guardedSettings) == 0 else {
            return try body()
        }
        defer {
            close(guardedTerminal)
            guardedTerminal = -1
        }
        for number in signals {
            signal(number) { number in
                // Only calls that are safe in a signal handler (signal-safety(7)).
                tcsetattr(guardedTerminal, TCSANOW, &guardedSettings)
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        defer {
            for number in signals {
                signal(number, SIG_DFL)
            }
        }
        return try body()
    }
}

// A signal handler can reach nothing but globals. They are written before the handlers are installed and by the one
// task that asks.
nonisolated(unsafe) private var guardedTerminal: Int32 = -1
nonisolated(unsafe) private var guardedSettings = termios()
