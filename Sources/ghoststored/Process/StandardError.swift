internal import Glibc

/// Messages for whoever started the program, before there is a log.
enum StandardError {
    static func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
