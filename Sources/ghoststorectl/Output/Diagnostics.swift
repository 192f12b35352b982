import Glibc

/// Lines on standard error: warnings and the reason of a failure. Never on standard output, which scripts read.
enum Diagnostics {
    static func write(_ text: String) {
        line("ghoststorectl: " + DisplayText.neutralizedLines(text).joined(separator: "\n  "))
    }

    /// What a program may want to know beside the output: a line that starts with a brace.
    static func write(_ object: JSONObject) {
        line(object.closed)
    }

    static func warn(_ text: String) {
        write("warning: " + text)
    }

    private static func line(_ text: String) {
        _ = Array((text + "\n").utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
