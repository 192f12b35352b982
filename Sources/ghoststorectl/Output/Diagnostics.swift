import Glibc

/// Lines on standard error: warnings and the reason of a failure. Never on standard output, which scripts read.
enum Diagnostics {
    static func write(_ text: String) {
        let line = "ghoststorectl: " + DisplayText.neutralizedLines(text).joined(separator: "\n  ") + "\n"
        _ = Array(line.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    static func warn(_ text: String) {
        write("warning: " + text)
    }
}
