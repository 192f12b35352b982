/// The result of an integrity check.
package struct CheckReport: Hashable, Sendable {
    /// The most findings in a report; further findings are left out.
    package static let findingsMax = 100

    package var isClean: Bool { findings.isEmpty }
    /// The findings, without content of the store; at most `findingsMax` lines.
    package internal(set) var findings: [String] = []
    package internal(set) var pagesChecked: Int = 0
    package internal(set) var rowsChecked: Int = 0
    /// The number of findings about files of the vault, and not about the database.
    private var damagedFileCount = 0

    /// True if the database has no findings, whatever files are damaged.
    var isDatabaseClean: Bool { findings.count == damagedFileCount }

    mutating func add(damagedFile finding: String) {
        guard findings.count < Self.findingsMax else { return }
        findings.append(finding)
        damagedFileCount += 1
    }

    mutating func add(_ finding: String) {
        guard findings.count < Self.findingsMax else { return }
        findings.append(finding)
    }
}
