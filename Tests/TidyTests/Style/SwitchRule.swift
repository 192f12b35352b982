/// The rule against `default:` cases that trap. A switch over an enum of this package lists every case, so the compiler
/// finds a missing one. A switch over a peer's data must not end the process.
enum SwitchRule {
    /// Returns a finding for each `default:` whose first statement ends the process.
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
