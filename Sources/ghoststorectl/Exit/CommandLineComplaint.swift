/// What ArgumentParser says is wrong, as this program tells it: one line, lower case, the cause first, then a hint.
struct CommandLineComplaint {
    private static let list = ". Please provide one of"

    let text: String

    /// - Parameter fullMessage: the message with the help on the argument and the usage behind it.
    init(_ message: String, fullMessage: String) {
        guard !message.contains(Self.list) else {
            text = Self.cause(message)
            return
        }
        let lines = fullMessage.split(separator: "\n")
        let usage = lines.first { $0.hasPrefix("Usage: ") }.map { "usage: " + $0.dropFirst("Usage: ".count) }
        // Where a value is wrong, what it may be tells more than how the whole command is used.
        let isAboutValue = message.hasPrefix("The value ") || message.hasPrefix("Missing value ")
        let help = isAboutValue ? lines.firstIndex { $0.hasPrefix("Help:  ") }.map { lines[$0] } : nil
        let form = help.flatMap(Self.form).map { "hint: " + $0 }
        text = ([Self.cause(message)] + [form ?? usage].compactMap { $0 }).joined(separator: "; ")
    }

    /// Values that are listed below each other come behind the cause.
    private static func cause(_ message: String) -> String {
        var lines = message.split(separator: "\n").map { String($0.drop { $0 == " " || $0 == "-" }) }
        let first = lines.removeFirst()
            .replacing("\(list) the following:", with: "; it is one of ").replacing(list, with: "; it is one of")
        return sentence(first + lines.joined(separator: ", "))
    }

    /// Of `Help:  --from <time>  At or after a time: ….` what stands behind the name.
    private static func form(_ help: Substring) -> String? {
        let parts = help.dropFirst("Help:  ".count).split(separator: "  ", maxSplits: 1)
        return parts.count == 2 ? sentence(String(parts[1])) : nil
    }

    private static func sentence(_ text: String) -> String {
        let isName = text.dropFirst().first?.isUppercase == true
        let bare = text.last == "." ? text.dropLast() : text[...]
        return isName ? String(bare) : bare.prefix(1).lowercased() + bare.dropFirst()
    }
}
