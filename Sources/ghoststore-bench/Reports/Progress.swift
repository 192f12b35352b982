import Glibc
internal import StoreBasics

/// Lines about what goes on, on standard error; a counter only when a person watches.
struct Progress {
    private let what: String
    private let total: Int
    private let isShown: Bool
    private var shownAt: UInt64 = 0

    init(what: String, total: Int) {
        self.what = what
        self.total = total
        isShown = isatty(STDERR_FILENO) == 1
    }

    mutating func show(_ done: Int) {
        let now = MonotonicClock.nanoseconds
        guard isShown, now > shownAt + 100_000_000, total > 0 else {
            return
        }
        shownAt = now
        Self.write("\r\(what): \(done) of \(total)")
    }

    func finish() {
        if isShown, shownAt > 0 {
            Self.write("\r\u{1b}[K")
        }
    }

    static func note(_ line: String) {
        write(line + "\n")
    }

    private static func write(_ text: String) {
        var text = text
        text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
