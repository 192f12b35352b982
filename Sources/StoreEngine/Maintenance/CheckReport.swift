/// What an integrity check found.
package struct CheckReport: Hashable, Sendable {
    /// Most findings a report lists.
    package static let findingsMax = 100

    package var isClean: Bool { findings.isEmpty }
    /// What is wrong, without content; at most `findingsMax` lines.
    package internal(set) var findings: [String] = []
    package internal(set) var pagesChecked: Int = 0
    package internal(set) var rowsChecked: Int = 0
    /// Findings that tell of files of the vault, and not of the database.
    private var damagedFileCount = 0

    /// The database is clean, whatever files are damaged.
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
