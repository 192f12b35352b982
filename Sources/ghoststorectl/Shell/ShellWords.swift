/// The words of a line, split as a POSIX shell splits them, but without expansions: spaces separate words, and quotes
/// and backslashes keep them together.
struct ShellWords {
    private(set) var words: [String] = []
    /// True if a quote is not closed, or the line ends with a backslash.
    var isIncomplete: Bool { quote != nil || isEscaped }

    private var word: String.UnicodeScalarView?
    private var quote: Unicode.Scalar?
    private var isEscaped = false

    init(_ line: String) {
        // Compared by scalars: a quote followed by a combining mark is one Character that differs from a quote.
        for scalar in line.unicodeScalars {
            if scalar == "#", word == nil, quote == nil, !isEscaped {
                break
            }
            scan(scalar)
        }
        endWord()
    }

    private mutating func scan(_ scalar: Unicode.Scalar) {
        if isEscaped {
            scanEscaped(scalar)
        } else if scalar == "\\", quote != "'" {
            isEscaped = true
        } else if let open = quote {
            if scalar == open {
                quote = nil
            } else {
                append(scalar)
            }
        } else if scalar == "'" || scalar == "\"" {
            quote = scalar
            word = word ?? String.UnicodeScalarView()
        } else if scalar == " " || scalar == "\t" || scalar == "\r" {
            endWord()
        } else {
            append(scalar)
        }
    }

    /// Handles the character after a backslash. Between double quotes the backslash stays, unless it escapes the
    /// character.
    private mutating func scanEscaped(_ scalar: Unicode.Scalar) {
        isEscaped = false
        if quote == "\"", !["\"", "\\", "$", "`"].contains(scalar) {
            append("\\")
        }
        append(scalar)
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        word = word ?? String.UnicodeScalarView()
        word?.append(scalar)
    }

    private mutating func endWord() {
        if let word {
            words.append(String(word))
        }
        word = nil
    }
}
