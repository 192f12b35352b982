/// The messages and the calls of a `.proto` file, read from its text.
struct ProtoFile {
    struct Message: Hashable {
        var name: String
        var line: Int
        /// The comment directly above the message.
        var comment: String
    }

    struct Field: Hashable {
        var type: String
        var name: String
        var number: Int
    }

    let path: String
    private let lines: [String]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    var messages: [Message] {
        lines.enumerated().compactMap { index, line in
            guard let match = line.firstMatch(of: /^message (\w+) \{/) else { return nil }
            let comment = lines[..<index].reversed().prefix { $0.hasPrefix("//") }.reversed().joined(separator: "\n")
            return Message(name: String(match.1), line: index + 1, comment: comment)
        }
    }

    /// Returns the fields of `oneof name`.
    func oneof(_ name: String) -> [Field] {
        guard let start = lines.firstIndex(where: { $0.contains("oneof \(name) {") }) else { return [] }
        return lines[(start + 1)...].prefix { !$0.contains("}") }.compactMap { line in
            guard let match = line.firstMatch(of: /^\s+(\w+) (\w+) = (\d+);/), let number = Int(match.3) else {
                return nil
            }
            return Field(type: String(match.1), name: String(match.2), number: number)
        }
    }
}

/// The comment of a request message: what the call does, then `Answer:`, then `Errors:`.
struct CallComment {
    /// The name of the result; empty if the comment names none.
    var answer = ""
    /// The reasons that begin the parts of `Errors:`.
    var errors: [String] = []

    init(_ comment: String) {
        let lines = comment.split(separator: "\n").map { $0.trimmingPrefix("//").trimmingPrefix(" ") }
        if let match = lines.lazy.compactMap({ $0.prefixMatch(of: /Answers?: (?:progress, then )?(\w+)/) }).first {
            answer = String(match.1)
        }
        guard let start = lines.firstIndex(where: { $0.hasPrefix("Errors: ") }) else { return }
        let text = lines[start...].joined(separator: " ").trimmingPrefix("Errors: ")
        errors = text.split(separator: "; ").map { String($0.prefix { $0.isUppercase || $0 == "_" }) }
    }
}
