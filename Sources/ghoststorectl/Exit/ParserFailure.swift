import ArgumentParser

/// Rewrites ArgumentParser's messages in the form of this program's own messages: one line, lower case, first the
/// cause, then a hint.
enum ParserFailure {
    /// Phrases of ArgumentParser and their replacements.
    private static let rewordings = [
        (". Please provide one of the following:\n  - ", "; hint: one of "),
        (". Please provide one of ", "; hint: one of "),
        ("\n  - ", ", "), (". Did you mean ", ", did you mean "), ("\n   or: Missing ", ", or missing "),
    ]

    static func failure(of error: any Error) -> CommandFailure {
        let text = rewordings.reduce(RootCommand.message(for: error)) { $0.replacing($1.0, with: $1.1) }
        let cause = sentence(text)
        guard !cause.contains("; hint: "), let hint = hint(of: error) else { return CommandFailure(.usage, cause) }
        return CommandFailure(.usage, "\(cause); hint: \(hint)")
    }

    /// Returns the valid values for a wrong value, or else the usage of the command.
    private static func hint(of error: any Error) -> String? {
        let lines = RootCommand.fullMessage(for: error).split(separator: "\n")
        if let help = lines.first(where: { $0.hasPrefix("Help:") }), let gap = help.firstRange(of: ">  "),
            !lines.contains(where: { $0.hasPrefix("Error: Missing expected") })
        {
            return sentence(String(help[gap.upperBound...]))
        }
        return lines.first { $0.hasPrefix("Usage: ") }.map { HelpText.shortUsage($0.dropFirst("Usage: ".count)) }
    }

    private static func sentence(_ text: String) -> String {
        let bare = text.hasSuffix(".") ? text.dropLast() : text[...]
        let isName = bare.dropFirst().first?.isUppercase == true
        return isName ? String(bare) : bare.prefix(1).lowercased() + bare.dropFirst()
    }
}
