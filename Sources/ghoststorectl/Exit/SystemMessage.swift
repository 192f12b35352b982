import Glibc

/// The C library's words for an errno value, lower-cased to stand inside a sentence.
enum SystemMessage {
    static func text(for code: Int32) -> String {
        guard let text = strerror(code) else {
            return "error \(code)"
        }
        return String(cString: text).lowercased()
    }
}
