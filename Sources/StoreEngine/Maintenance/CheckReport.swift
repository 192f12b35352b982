/// What an integrity check found.
public struct CheckReport: Hashable, Sendable {
    /// Most findings a report lists.
    public static let findingsMax = 100

    public var isClean: Bool { findings.isEmpty }
    /// What is wrong, without content; at most `findingsMax` lines.
    public internal(set) var findings: [String] = []
    public internal(set) var pagesChecked: Int = 0
    public internal(set) var rowsChecked: Int = 0

    mutating func add(_ finding: String) {
        guard findings.count < Self.findingsMax else { return }
        findings.append(finding)
    }
}
