import StoreEngine
import StoreProtocol
import Testing

@testable import StoreServer

/// Compares the tables of rights and of results in proto-docs with the code.
@Suite struct DocumentedRightsTests {
    private static let requirements: [String: AccessRequirement] = [
        "none": .none, "read conversations": .read(.conversations), "write conversations": .write(.conversations),
        "read messages": .read(.messages), "write messages": .write(.messages), "read contacts": .read(.contacts),
        "write contacts": .write(.contacts), "read scenes": .read(.scenes), "write scenes": .write(.scenes),
        "read logs": .read(.logs), "write logs": .write(.logs), "read changes": .read(.changes),
        "read metrics": .read(.metrics),
        "read files": .read(.files), "write files": .write(.files),
        "read the files at the origin, write files at the destination": .copyFiles,
        "read and write the files at the origin, write files at the destination": .moveFiles,
        "read blobs and read messages": .exportBlobs, "write blobs and write messages": .importBlobs,
        "read blobs of at least one conversation, and read messages; only the user who began the session":
            .continueExport,
        "write blobs of at least one conversation, and write messages; only the user who began the session":
            .continueImport,
        "only the user who began the session": .none,
        "administration, and reading every area except metrics": .archive,
        "administration, and writing every area except metrics": .restoreArchive,
        "administration, and reading and writing every area except metrics": .wholeStore,
        "replication": .replication,
        "write files of at least one path, or write messages; only the user who began the write": .continueFileWrite,
        "only the user who began the write": .none,
    ]

    @Test func `each call needs the documented right`() throws {
        let rows = try ProtocolDocument.table(["right", "calls"])
        #expect(rows.last?.first == "administration")
        var told: [String: AccessRequirement] = [:]
        for row in rows.dropLast() {
            let requirement = try #require(Self.requirements[row[0]], "\(row[0])")
            for name in row[1].split(separator: ", ") {
                check(told.updateValue(requirement, forKey: String(name)), nil)
            }
        }
        for kind in CallKind.allCases {
            check(told.removeValue(forKey: kind.name) ?? .administration, kind.rule.requirement)
        }
        #expect(told.isEmpty)
    }

    @Test func `the comment of each request names a result that exists`() throws {
        let service = try ProtocolDocument.text("ghoststore/v1/service.proto")
        let result = try #require(service.firstMatch(of: /oneof result \{([^}]*)\}/)).output.1
        let fields = Set(result.matches(of: /\w+ (\w+) = \d+;/).map { String($0.output.1) })
        let told = try ProtocolDocument.results()
        for kind in CallKind.allCases {
            #expect(told[kind].map { fields.contains($0) } == true, "\(kind.name): \(told[kind] ?? "none")")
        }
    }
}
