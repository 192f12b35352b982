import Glibc
import StoreBasics

/// The keys that a person presses at a terminal. Each key is read at once, without Return.
struct TerminalKeys {
    enum Event: Hashable {
        case key(UInt8)
        case timePassed
        /// The terminal is closed, or the task was cancelled.
        case end
    }

    private let terminal: Int32
    private let readiness: Readiness

    /// Runs `body` while keys are read at once and not shown. Ctrl-C still sends a signal.
    ///
    /// - Parameter settings: The current settings of the terminal.
    static func reading<Result>(
        _ terminal: Int32, settings: termios, _ body: (TerminalKeys) async throws -> Result
    ) async throws -> Result {
        let keys = TerminalKeys(terminal: terminal, readiness: try Readiness())
        return try await TerminalHold.during(terminal) {
            var raw = settings
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
            // Not TCSAFLUSH, here and below, because it would discard keys that were pressed before.
            tcsetattr(terminal, TCSADRAIN, &raw)
            defer {
                var settings = settings
                tcsetattr(terminal, TCSADRAIN, &settings)
            }
            return try await body(keys)
        }
    }

    func next(within time: Duration) async -> Event {
        switch await readiness.wait(for: terminal, within: time) {
        case .timePassed: return .timePassed
        case .woken: return .end
        case .ready:
            var bytes: [UInt8] = []
            _ = try? FileDescriptorCalls.readSome(terminal, appendingTo: &bytes, bytesMax: 1)
            return bytes.first.map { .key($0) } ?? .end
        }
    }
}
