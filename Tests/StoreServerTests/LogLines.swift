import Logging
import Synchronization

/// The lines that a logger has received.
final class LogLines: Sendable {
    struct Line {
        let level: Logger.Level
        let message: String
        let metadata: Logger.Metadata
    }

    private struct Handler: LogHandler {
        let lines: LogLines
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.add(Line(level: event.level, message: "\(event.message)", metadata: event.metadata ?? [:]))
        }
    }

    private let lines = Mutex<[Line]>([])

    var logger: Logger {
        var logger = Logger(label: "test", factory: { _ in Handler(lines: self) })
        logger.logLevel = .trace
        return logger
    }

    var all: [Line] { lines.withLock { $0 } }

    private func add(_ line: Line) {
        lines.withLock { $0.append(line) }
    }
}
