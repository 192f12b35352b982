import Testing

/// A violation of a rule, with its file and line.
struct Finding: Hashable, CustomStringConvertible {
    var path: String
    var line: Int
    var message: String

    var description: String { "\(path):\(line): \(message)" }
}

/// Fails the test if there are findings, and prints each on a line.
func expectNone(_ findings: [Finding], sourceLocation: SourceLocation = #_sourceLocation) {
    guard !findings.isEmpty else { return }
    let report = findings.map(\.description).joined(separator: "\n")
    Issue.record("\(findings.count) findings:\n\(report)", sourceLocation: sourceLocation)
}
