import Glibc
package import Logging
import Synchronization

/// Writes each record as one line to standard error. For the journal of systemd a line begins with its priority
/// (sd-daemon(3)), otherwise with the time and the level.
package struct StandardErrorLogHandler: LogHandler {
    let label: String
    let format: LogLineFormat
    private let control: LogLevelControl
    private let descriptor: Int32
    private var ownLevel: Logger.Level?
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    package init(label: String, control: LogLevelControl, format: LogLineFormat, descriptor: Int32 = STDERR_FILENO) {
        self.label = label
        self.control = control
        self.format = format
        self.descriptor = descriptor
    }

    /// The common level of all loggers, unless this logger has its own.
    package var logLevel: Logger.Level {
        get { ownLevel ?? control.level }
        set { ownLevel = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() {
            all.merge(provided) { $1 }
        }
        if let given = event.metadata {
            all.merge(given) { $1 }
        }
        if let error = event.error {
            all["error"] = "\(error)"
        }
        // Write each line at once, so that lines of several threads do not mix (pipe(7): up to 4,096 bytes).
        let line = Array(format.line(level: event.level, message: "\(event.message)", metadata: all).utf8)
        _ = write(descriptor, line, line.count)
    }
}

/// The level of all loggers, which a reload may change while they are in use.
package final class LogLevelControl: Sendable {
    /// The values of the setting `log_level`.
    package static let names = Logger.Level.allCases.map(\.rawValue)

    private let index: Atomic<Int>

    package init(_ level: Logger.Level) {
        index = Atomic(Self.index(of: level))
    }

    package var level: Logger.Level {
        get { Logger.Level.allCases[index.load(ordering: .relaxed)] }
        set { index.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    private static func index(of level: Logger.Level) -> Int {
        Logger.Level.allCases.firstIndex(of: level) ?? 0
    }
}
