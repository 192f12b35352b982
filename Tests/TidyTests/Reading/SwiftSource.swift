import Glibc

/// A Swift file split into what the compiler runs and what people read.
struct SwiftSource: Sendable {
    let path: String
    let lines: [String]
    /// As `lines`, with comments and the insides of string literals blanked out.
    let codeLines: [String]
    /// As `lines`, with everything but comments blanked out.
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

    /// The target a file of Sources/ or Tests/ belongs to, here or in Benchmarks/.
    var target: String {
        let parts = path.split(separator: "/").drop { $0 == "Benchmarks" }
        return parts.count > 1 ? String(parts[parts.startIndex + 1]) : ""
    }

    /// A finding for each line of code in which `pattern` occurs; only lines that hold `hint` are looked at closer.
    func findings(_ pattern: Regex<Substring>, hint: String, _ message: String) -> [Finding] {
        // Unicode's own word boundaries take `message.text` for one word.
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
    /// Whether the bytes of `word` occur: much quicker than `contains`, which compares characters.
    func holds(_ word: String) -> Bool {
        withCString { text in word.withCString { strstr(text, $0) != nil } }
    }
}
