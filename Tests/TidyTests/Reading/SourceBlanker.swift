/// A pass over a Swift file that separates its code from its comments. A byte of code is copied to `code`, and a space
/// takes its place in `comments`. A byte of a comment is copied the other way round. The content of strings and names
/// in backticks become spaces in both.
///
/// Nested comments, escapes, raw and multi-line strings, and interpolation are recognized. Regular-expression literals
/// are not.
struct SourceBlanker {
    private let text: [UInt8]
    private var position = 0
    private(set) var code: [UInt8] = []
    private(set) var comments: [UInt8] = []
    /// The string literals, in the order in which they end.
    private(set) var literals: [SourceLiteral] = []

    init(_ text: String) {
        self.text = Array(text.utf8)
        code.reserveCapacity(self.text.count)
        comments.reserveCapacity(self.text.count)
    }

    mutating func run() {
        while position < text.count {
            readCodeByte()
        }
    }

    private enum Kind { case code, comment, neither }

    private mutating func take(_ count: Int, as kind: Kind) {
        for _ in 0..<count where position < text.count {
            takeByte(as: kind)
        }
    }

    private mutating func takeByte(as kind: Kind) {
        let byte = text[position]
        let isLineEnd = byte == 0x0A
        code.append(isLineEnd || kind == .code ? byte : 0x20)
        comments.append(isLineEnd || kind == .comment ? byte : 0x20)
        position += 1
    }

    private func sees(_ word: String) -> Bool {
        text[position...].starts(with: word.utf8)
    }

    private mutating func readCodeByte() {
        // A shortcut for the many bytes that begin nothing special. "/" is 0x2F, the quote 0x22, "#" 0x23, the backtick
        // 0x60.
        let byte = text[position]
        if byte != 0x2F, byte != 0x22, byte != 0x23, byte != 0x60 {
            takeByte(as: .code)
        } else if sees("//") {
            while position < text.count, text[position] != 0x0A { takeByte(as: .comment) }
        } else if sees("/*") {
            readBlockComment()
        } else if byte == 0x60 {
            readName()
        } else if let hashCount = stringOpening() {
            readString(hashCount: hashCount)
        } else {
            take(1, as: .code)
        }
    }

    /// Reads a name in backticks, which ends on the same line. A single backtick stays as it is.
    private mutating func readName() {
        let rest = text[(position + 1)...]
        take(1, as: .code)
        guard let end = rest.firstIndex(where: { $0 == 0x60 || $0 == 0x0A }), text[end] == 0x60 else { return }
        take(end - position, as: .neither)
        take(1, as: .code)
    }

    private mutating func readBlockComment() {
        var depth = 0
        repeat {
            if sees("/*") {
                depth += 1
                take(2, as: .comment)
            } else if sees("*/") {
                depth -= 1
                take(2, as: .comment)
            } else {
                take(1, as: .comment)
            }
        } while depth > 0 && position < text.count
    }

    /// Returns the number of `#` before the quote if a string literal starts here, otherwise `nil`.
    private func stringOpening() -> Int? {
        var hashCount = 0
        while position + hashCount < text.count, text[position + hashCount] == UInt8(ascii: "#") { hashCount += 1 }
        let isQuote = position + hashCount < text.count && text[position + hashCount] == UInt8(ascii: "\"")
        return isQuote ? hashCount : nil
    }

    private mutating func readString(hashCount: Int) {
        let start = position
        var content: [UInt8] = []
        let hashes = String(repeating: "#", count: hashCount)
        take(hashCount, as: .code)
        let quote = sees("\"\"\"") ? "\"\"\"" : "\""
        take(quote.utf8.count, as: .code)
        while position < text.count {
            // Only a backslash or a quote can end or interrupt the literal.
            if text[position] != 0x5C, text[position] != 0x22 {
                content.append(text[position])
                takeByte(as: .neither)
            } else if sees(quote + hashes) {
                take(quote.utf8.count + hashCount, as: .code)
                break
            } else if sees("\\" + hashes + "(") {
                content.append(UInt8(ascii: "X"))
                take(1 + hashCount, as: .neither)
                readInterpolation()
            } else if sees("\\" + hashes) {
                content += SourceLiteral.unescaped(text.dropFirst(position + 1 + hashCount).first)
                take(2 + hashCount, as: .neither)
            } else {
                content.append(text[position])
                take(1, as: .neither)
            }
        }
        literals.append(SourceLiteral(start: start, end: position, text: String(decoding: content, as: UTF8.self)))
    }

    /// Reads an interpolation. Its expression is code.
    private mutating func readInterpolation() {
        var depth = 0
        repeat {
            if sees("(") { depth += 1 }
            if sees(")") { depth -= 1 }
            readCodeByte()
        } while depth > 0 && position < text.count
    }
}
