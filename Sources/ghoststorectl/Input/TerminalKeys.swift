import Glibc
import StoreBasics
import Synchronization

/// The bytes that a person types at a terminal, as they are typed. No more are read than are asked for: what is typed
/// ahead is for who reads next, and a prompt for a passphrase drops it.
final class TerminalKeys: Sendable {
    enum Event: Hashable {
        case bytes([UInt8])
        case timePassed
        /// The terminal has another size now.
        case resized
        /// The terminal is gone, or the task is cancelled.
        case end
    }

    private let terminal: Int32
    private let readiness: Readiness

    private init(_ terminal: Int32, _ readiness: Readiness) {
        self.terminal = terminal
        self.readiness = readiness
    }

    /// Runs `body` while single bytes come as they are typed, and none is shown.
    ///
    /// - Parameters:
    ///   - settings: those of the terminal now.
    ///   - hasSignals: whether Ctrl-C and its like are signals, or bytes as others.
    ///   - words: what the terminal is sent where a signal takes the program away from it.
    static func reading<Result>(
        _ terminal: Int32, settings: termios, hasSignals: Bool, _ words: TerminalHold.Words = .none,
        _ body: (TerminalKeys) async throws -> Result
    ) async throws -> Result {
        let readiness = try Readiness()
        return try await TerminalHold.during(terminal, words) {
            var raw = settings
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO | (hasSignals ? 0 : ISIG | IEXTEN))
            // Not TCSAFLUSH, here and below: what is typed ahead stays.
            tcsetattr(terminal, TCSADRAIN, &raw)
            resizeDescriptor.store(readiness.wakeWriter, ordering: .relaxed)
            let heeded = signal(SIGWINCH) { _ in
                // Only calls that are safe in a signal handler (signal-safety(7)).
                let before = errno
                var byte: UInt8 = 0
                write(resizeDescriptor.load(ordering: .relaxed), &byte, 1)
                errno = before
            }
            defer {
                signal(SIGWINCH, heeded)
                resizeDescriptor.store(-1, ordering: .relaxed)
                var settings = settings
                tcsetattr(terminal, TCSADRAIN, &settings)
            }
            return try await body(TerminalKeys(terminal, readiness))
        }
    }

    /// - Parameters:
    ///   - bytesMax: the most that is read.
    ///   - time: `nil` waits for ever.
    func next(atMost bytesMax: Int = 1, within time: Duration? = nil) async -> Event {
        // Most bytes of what is pasted are there already.
        switch hasMore ? .ready : await readiness.wait(for: terminal, within: time) {
        case .timePassed: return .timePassed
        case .woken: return Task.isCancelled ? .end : .resized
        case .ready:
            var bytes: [UInt8] = []
            let isRead = try? FileDescriptorCalls.readSome(terminal, appendingTo: &bytes, bytesMax: bytesMax)
            return isRead == true ? .bytes(bytes) : .end
        }
    }

    /// Whether more was typed already.
    var hasMore: Bool {
        var wanted = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        return poll(&wanted, 1, 0) > 0
    }
}

// A signal handler can reach nothing but globals.
private let resizeDescriptor = Atomic<Int32>(-1)
