/// A missed case of our own enums fails to compile; it does not trap on what a peer sends.
enum SwitchRule {
    /// A `default:` whose first statement ends the process.
    static func findings(_ source: SwiftSource) -> [Finding] {
        source.codeLines.indices.compactMap { index in
            guard let clause = source.codeLines[index].firstMatch(of: /\bdefault:\s*(.*)/) else { return nil }
            let following = source.codeLines[(index + 1)...].first { $0.contains { !$0.isWhitespace } } ?? ""
            let statement = clause.1.isEmpty ? following[...] : clause.1
            guard statement.contains(/^\s*(?:preconditionFailure|fatalError|assertionFailure)\(/) else { return nil }
            return Finding(path: source.path, line: index + 1, message: "a default that traps; name every case")
        }
    }
}
