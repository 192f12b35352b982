import Synchronization

/// A list of lines that any thread may append to.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    func append(_ line: String) {
        lines.withLock { $0.append(line) }
    }

    var all: [String] {
        lines.withLock { lines in
            lines
        }
    }
}
