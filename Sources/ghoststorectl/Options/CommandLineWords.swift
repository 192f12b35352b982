/// The words of the command line before they are parsed.
enum CommandLineWords {
    private static let timeOptions: Set<String> = ["--from", "--until", "--to", "--time"]
    private static let jsonFormats = [OutputFormat.json.rawValue, OutputFormat.jsonl.rawValue]

    /// Whether what is said on standard error is for programs too, also of a command line that is wrong.
    ///
    /// - Parameter format: the one by default.
    static func askForJSON(_ words: [String], byDefault format: String?) -> Bool {
        jsonFormats.contains(self.format(words) ?? format ?? "")
    }

    /// Whether the output that is asked for is another than a table.
    ///
    /// - Parameter format: the one by default.
    static func askForPrograms(_ words: [String], byDefault format: String?) -> Bool {
        (self.format(words) ?? format).map { $0 != OutputFormat.table.rawValue } ?? false
    }

    /// The word for it, whatever it is; `nil` where none is asked for.
    private static func format(_ words: [String]) -> String? {
        let options = Array(words.prefix { $0 != "--" })
        guard let index = options.lastIndex(where: { $0 == "--format" || $0.hasPrefix("--format=") }) else {
            return options.contains("--json") ? OutputFormat.json.rawValue : nil
        }
        guard options[index] == "--format" else { return String(options[index].dropFirst("--format=".count)) }
        return options.indices.contains(index + 1) ? options[index + 1] : ""
    }

    /// `--from -1h` becomes `--from=-1h`: a word that begins with a dash would be taken for options.
    static func joiningSignedTimes(_ words: [String]) -> [String] {
        var result: [String] = []
        for word in words {
            if let last = result.last, timeOptions.contains(last), !result.contains("--"),
                word.hasPrefix("-"), word.dropFirst().first?.isNumber == true
            {
                result[result.count - 1] = "\(last)=\(word)"
            } else {
                result.append(word)
            }
        }
        return result
    }
}
