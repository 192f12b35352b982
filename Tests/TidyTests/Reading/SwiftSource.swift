import Glibc

/// A Swift file, split into code, comments and string literals.
struct SwiftSource: Sendable {
    let path: String
    let lines: [String]
    /// The lines with spaces in place of comments and of the content of string literals.
    let codeLines: [String]
    /// The lines with spaces in place of everything except comments.
    let commentLines: [String]
    /// The string literals, in the order in which they begin.
    let literals: [SourceLiteral]

    init(path: String, text: String) {
        var blanker = SourceBlanker(text)
        blanker.run()
        self.path = path
        lines = Self.split(Array(text.utf8))
        codeLines = Self.split(blanker.code)
        commentLines = Self.split(blanker.comments)
        literals = blanker.literals.sorted { $0.start < $1.start }
    }

    /// The target to which the file belongs, in Sources/, Tests/ or the same folders of Benchmarks/.
    var target: String {
        let parts = path.split(separator: "/").drop { $0 == "Benchmarks" }
        return parts.count > 1 ? String(parts[parts.startIndex + 1]) : ""
    }

    /// Returns a finding for each line of code that matches `pattern`. Only lines that contain `hint` are compared with
    /// the pattern, which saves time.
    func findings(_ pattern: Regex<Substring>, hint: String, _ message: String) -> [Finding] {
        // The default, Unicode's word boundaries, would treat `message.text` as one word.
        let pattern = pattern.wordBoundaryKind(.simple)
        return codeLines.enumerated().compactMap { index, line in
            line.holds(hint) && line.contains(pattern) ? Finding(path: path, line: index + 1, message: message) : nil
        }
    }

    private static func split(_ bytes: [UInt8]) -> [String] {
        var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if parts.last?.isEmpty == true { parts.removeLast() }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension String {
    /// Returns true if the text contains the bytes of `word`. This is much faster than `contains`, which compares
    /// characters.
    func holds(_ word: String) -> Bool {
        withCString { text in word.withCString { strstr(text, $0) != nil } }
    }
}
