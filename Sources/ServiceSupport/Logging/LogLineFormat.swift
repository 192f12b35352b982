import Glibc
package import Logging
import StoreBasics

/// The format of log lines: for the journal of systemd, or for a terminal or a file.
package enum LogLineFormat: Sendable {
    case journal
    case terminal

    /// Returns the format for standard error. Standard error is connected to the journal of systemd if `JOURNAL_STREAM`
    /// contains its device and inode (systemd.exec(5)).
    package static func detect(environment: [String: String]) -> LogLineFormat {
        var status = stat()
        guard let stream = environment["JOURNAL_STREAM"], fstat(STDERR_FILENO, &status) == 0 else { return .terminal }
        return stream == "\(status.st_dev):\(status.st_ino)" ? .journal : .terminal
    }

    /// The beginning of a critical line, for use when no memory can be allocated.
    package var criticalPrefix: StaticString {
        switch self {
        case .journal: "<2>"
        case .terminal: "ghoststored: "
        }
    }

    package func line(level: Logger.Level, message: String, metadata: Logger.Metadata) -> String {
        var line =
            switch self {
            case .journal: "<\(priority(of: level))>"
            case .terminal: "\(CalendarTime(secondsSinceEpoch: Int64(time(nil))).text())Z \(level.rawValue) "
            }
        Self.append(message, to: &line)
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            line += " \(key)="
            let text = "\(value)"
            if text.isEmpty || text.contains(where: { $0 == " " || $0 == "\"" }) {
                line += "\""
                Self.append(
                    text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "'"), to: &line)
                line += "\""
            } else {
                Self.append(text, to: &line)
            }
        }
        return line + "\n"
    }

    /// Returns the priority of syslog(3) for a level.
    private func priority(of level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    /// Appends text with escaped control characters, so that a record stays on one line.
    private static func append(_ text: String, to line: inout String) {
        for scalar in text.unicodeScalars {
            if isControl(scalar) {
                line += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns true for the control characters of C0 and C1, and for the line and paragraph separators.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        default: false
        }
    }
}
