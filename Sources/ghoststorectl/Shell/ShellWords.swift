/// The words of a command that a person types, split as a POSIX shell splits them, without its expansions: spaces part
/// words, newlines commands, quotes and backslashes keep them together.
struct ShellWords {
    private(set) var words: [String] = []
    /// Whether the last word may go on: no space stands behind it.
    private(set) var isLastOpen = false
    /// The quote that the last word is in.
    private(set) var openQuote: Unicode.Scalar?
    /// Whether a quote is not closed, or a backslash has nothing behind it.
    private(set) var isIncomplete = false
    /// Whether a backslash has nothing behind it.
    private(set) var isEscaped = false

    /// The commands of a text, each with a word at least.
    static func commands(_ text: String) -> [ShellWords] {
        parsed(text).filter { !$0.words.isEmpty || $0.isIncomplete }
    }

    /// The command that a text ends in.
    static func last(_ text: String) -> ShellWords {
        parsed(text).last ?? ShellWords()
    }

    private static func parsed(_ text: String) -> [ShellWords] {
        // By scalars: a quote with a mark behind it is one Character, and no quote.
        var reader = Reader()
        for scalar in text.unicodeScalars {
            reader.take(scalar)
        }
        reader.endCommand()
        return reader.commands
    }

    private struct Reader {
        var commands: [ShellWords] = []
        private var command = ShellWords()
        private var word: String.UnicodeScalarView?
        private var quote: Unicode.Scalar?
        private var isEscaped = false
        private var isRemark = false

        mutating func take(_ scalar: Unicode.Scalar) {
            if isRemark, scalar != "\n" { return }
            if isEscaped {
                takeEscaped(scalar)
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
            } else if scalar == "\n" {
                endCommand()
            } else if scalar == " " || scalar == "\t" || scalar == "\r" {
                endWord()
            } else if scalar == "#", word == nil {
                isRemark = true
            } else {
                append(scalar)
            }
        }

        /// Between double quotes a backslash is one, but before what it takes its meaning from.
        private mutating func takeEscaped(_ scalar: Unicode.Scalar) {
            isEscaped = false
            guard scalar != "\n" else { return }
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
                command.words.append(String(word))
            }
            word = nil
        }

        mutating func endCommand() {
            command.isLastOpen = word != nil
            command.openQuote = quote
            command.isIncomplete = quote != nil || isEscaped
            command.isEscaped = isEscaped
            endWord()
            commands.append(command)
            (command, isRemark) = (ShellWords(), false)
        }
    }
}

extension String {
    /// As a part of a word that means itself where it is typed.
    ///
    /// - Parameter quote: the one that is open there, and stays so.
    func quoted(within quote: Unicode.Scalar?) -> String {
        unicodeScalars.reduce(into: "") { $0.unicodeScalars.append(contentsOf: Self.quoted($1, quote).unicodeScalars) }
    }

    private static func quoted(_ scalar: Unicode.Scalar, _ quote: Unicode.Scalar?) -> String {
        switch (quote, scalar) {
        case ("'", "'"): return "'\\''"
        // A newline behind a backslash is nothing.
        case (nil, "\n"): return "'\n'"
        case (nil, " "), (nil, "\t"), (nil, "\r"), (nil, "'"), (nil, "\""), (nil, "\\"), (nil, "#"), ("\"", "\""),
            ("\"", "\\"), ("\"", "$"), ("\"", "`"):
            return "\\\(scalar)"
        default: return String(scalar)
        }
    }
}
