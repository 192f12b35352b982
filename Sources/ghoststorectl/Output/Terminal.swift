import Glibc
import StoreBasics
import Synchronization

/// What is known of the terminal behind a descriptor.
struct Terminal {
    /// Columns assumed when the terminal does not tell.
    private static let columnsDefault = 80

    let columns: Int
    let showsColor: Bool

    /// `nil` when the descriptor is no terminal.
    init?(descriptor: Int32) {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        columns = isKnown ? Int(size.ws_col) : Self.columnsDefault
        showsColor = !Self.isSet("NO_COLOR") && Self.value("TERM") != "dumb"
    }

    /// https://no-color.org: present and not empty, whatever its value.
    private static func isSet(_ name: String) -> Bool {
        value(name).map { !$0.isEmpty } ?? false
    }

    private static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

/// How a piece of text is set off on a terminal with colours (ECMA-48 SGR).
enum Style: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case yellow = "33"

    func applied(to text: String) -> String {
        "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }
}

/// A line on standard error that shows how far long work has come, while a person watches.
final class ProgressBar: Sendable {
    private struct State {
        var lastDrawn: ContinuousClock.Instant?
        var isShown = false
    }

    /// Time between two drawings.
    private static let interval: Duration = .milliseconds(100)
    private static let barColumns = 24

    private let label: String
    private let terminal: (columns: Int, isThere: Bool)
    private let started = ContinuousClock.now
    private let state = Mutex(State())

    /// - Parameter isWanted: false keeps it silent even on a terminal.
    init(_ label: String, isWanted: Bool) {
        self.label = label
        let terminal = isWanted ? Terminal(descriptor: STDERR_FILENO) : nil
        self.terminal = (terminal?.columns ?? 0, terminal != nil)
    }

    /// - Parameters:
    ///   - total: `nil` or 0 while it is not known.
    ///   - note: what stands behind the bar, such as a count of lines.
    func update(done: UInt64, total: UInt64?, note: String = "") {
        guard terminal.isThere else { return }
        let now = ContinuousClock.now
        state.withLock { state in
            if let last = state.lastDrawn, now - last < Self.interval {
                return
            }
            state.lastDrawn = now
            state.isShown = true
            draw(line(done: done, total: total, note: note))
        }
    }

    /// Takes the line away.
    func finish() {
        state.withLock { state in
            if state.isShown {
                draw("")
                state.isShown = false
            }
        }
    }

    private func line(done: UInt64, total: UInt64?, note: String) -> String {
        let seconds = (ContinuousClock.now - started).components.seconds
        let tail = (note.isEmpty ? "" : "  \(note)") + "  \(seconds) s"
        guard let total, total > 0 else { return "\(label)  \(done)\(tail)" }
        let fraction = min(1, Double(done) / Double(total))
        let filled = Int(fraction * Double(Self.barColumns))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.barColumns - filled)
        return "\(label)  [\(bar)] \(Int(fraction * 100)) %\(tail)"
    }

    /// Back to the first column, the text, and the rest of the line erased (ECMA-48 EL).
    private func draw(_ text: String) {
        let line = "\r" + DisplayWidth.truncated(text, toColumns: terminal.columns - 1) + "\u{1B}[K"
        try? FileDescriptorCalls.write(STDERR_FILENO, Array(line.utf8))
    }
}
