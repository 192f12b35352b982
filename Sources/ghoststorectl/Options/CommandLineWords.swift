/// Examines and changes the words of the command line before they are parsed.
enum CommandLineWords {
    private static let timeOptions: Set<String> = ["--from", "--until", "--to", "--time"]
    private static let jsonFormats = [OutputFormat.json.rawValue, OutputFormat.jsonl.rawValue]

    /// Returns true if messages on standard error must be JSON for programs. The command line may be invalid.
    ///
    /// - Parameter format: The default format.
    static func askForJSON(_ words: [String], byDefault format: String?) -> Bool {
        jsonFormats.contains(self.format(words) ?? format ?? "")
    }

    /// Returns true if the output has a form other than a table.
    ///
    /// - Parameter format: The default format.
    static func askForPrograms(_ words: [String], byDefault format: String?) -> Bool {
        (self.format(words) ?? format).map { $0 != OutputFormat.table.rawValue } ?? false
    }

    /// Returns the requested format, even if it is invalid; `nil` if none is requested.
    private static func format(_ words: [String]) -> String? {
        let options = Array(words.prefix { $0 != "--" })
        guard let index = options.lastIndex(where: { $0 == "--format" || $0.hasPrefix("--format=") }) else {
            return options.contains("--json") ? OutputFormat.json.rawValue : nil
        }
        guard options[index] == "--format" else { return String(options[index].dropFirst("--format=".count)) }
        return options.indices.contains(index + 1) ? options[index + 1] : ""
    }

    /// Turns `--from -1h` into `--from=-1h`, because a word that begins with a dash would be parsed as an option.
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
