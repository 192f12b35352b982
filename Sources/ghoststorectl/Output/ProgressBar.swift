import Glibc
import StoreBasics
import Synchronization

/// A line on standard error that shows the progress of long work on a terminal.
final class ProgressBar: Sendable {
    private struct State {
        var lastDrawn: ContinuousClock.Instant?
        var isShown = false
    }

    /// The shortest time between two drawings.
    private static let interval: Duration = .milliseconds(100)
    private static let barColumns = 24

    enum Unit {
        case bytes
        case count(of: String)

        func text(_ done: UInt64) -> String {
            switch self {
            case .bytes: Quantity.bytes(done)
            case .count: String(done)
            }
        }
    }

    private let label: String
    private let unit: Unit
    private let terminal: (columns: Int, isThere: Bool)
    private let descriptor = ProgramRun.current.errors
    private let started = ContinuousClock.now
    private let state = Mutex(State())

    /// - Parameters:
    ///   - unit: The unit of progress, for the rate.
    ///   - isWanted: False to draw nothing even on a terminal.
    init(_ label: String, _ unit: Unit, isWanted: Bool) {
        self.label = label
        self.unit = unit
        let terminal = isWanted ? Terminal(descriptor: descriptor) : nil
        self.terminal = (terminal?.columns ?? 0, terminal != nil)
    }

    /// - Parameters:
    ///   - total: The number of units in all; `nil` or 0 while it is unknown.
    ///   - note: The text after the bar, such as a count of lines.
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

    /// Erases the line.
    func finish() {
        state.withLock { state in
            if state.isShown {
                draw("")
                state.isShown = false
            }
        }
    }

    private func line(done: UInt64, total: UInt64?, note: String) -> String {
        let elapsed = ContinuousClock.now - started
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        let facts = ProgressFacts(done: done, total: total, seconds: seconds)
        let tail = [note, facts.rate(unit), facts.time].filter { !$0.isEmpty }.map { "  \($0)" }.joined()
        guard let fraction = facts.fraction else { return "\(label)  \(unit.text(done))\(tail)" }
        let percent = " \(Int(fraction * 100)) %\(tail)"
        // On a narrow terminal the bar becomes shorter, so that the words fit.
        let room = terminal.columns - 1 - DisplayWidth.columns(label) - DisplayWidth.columns(percent) - "  []".count
        let columns = max(0, min(Self.barColumns, room))
        let filled = Int(fraction * Double(columns))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: columns - filled)
        return "\(label)  [\(bar)]\(percent)"
    }

    /// Returns to the first column, writes the text, and erases the rest of the line (ECMA-48 EL).
    private func draw(_ text: String) {
        let line = "\r" + DisplayWidth.truncated(text, toColumns: terminal.columns - 1) + "\u{1B}[K"
        try? FileDescriptorCalls.write(descriptor, Array(line.utf8))
    }
}

/// The figures that follow from the progress so far and the time it took.
struct ProgressFacts {
    /// The shortest time that allows an estimate of the remaining time.
    private static let secondsMin = 0.5

    let done: UInt64
    let total: UInt64?
    let seconds: Double

    /// The completed part, from 0 to 1; `nil` while the total is unknown.
    var fraction: Double? {
        total.flatMap { $0 > 0 ? min(1, Double(done) / Double($0)) : nil }
    }

    /// Returns the rate: `12.3 MiB/s`, `450 lines/s`.
    func rate(_ unit: ProgressBar.Unit) -> String {
        guard seconds >= Self.secondsMin, done > 0 else { return "" }
        let perSecond = UInt64(Double(done) / seconds)
        return switch unit {
        case .bytes: "\(Quantity.bytes(perSecond))/s"
        case .count(let noun): "\(perSecond) \(noun)/s"
        }
    }

    /// The elapsed and remaining time: `4 s, 16 s left`.
    var time: String {
        let elapsed = Quantity.duration(milliseconds: UInt64(seconds * 1_000))
        guard let fraction, fraction > 0, fraction < 1, seconds >= Self.secondsMin else { return elapsed }
        let left = seconds * (1 - fraction) / fraction
        guard left < 1e9 else { return elapsed }
        return "\(elapsed), \(Quantity.duration(milliseconds: UInt64(left * 1_000))) left"
    }
}
