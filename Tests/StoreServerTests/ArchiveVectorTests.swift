import FoundationEssentials
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

/// Tests that read archives. The script proto-docs/vectors/archives/make.py wrote them. It follows the documented
/// format and uses no code of this project.
@Suite struct ArchiveVectorTests {
    private static func file(_ name: String) throws -> [UInt8] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return Array(try Data(contentsOf: root.appending(path: "proto-docs/vectors/archives/\(name)")))
    }

    /// Returns the records of a plain archive without header and footer.
    private static func content(of archive: [UInt8]) -> [[UInt8]] {
        var (records, start) = ([[UInt8]](), 16)
        while start + 4 <= archive.count {
            let length = archive[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
            records.append(Array(archive[(start + 4)..<min(archive.count, start + 4 + length)]))
            start += 4 + length
        }
        return Array(records.dropFirst().dropLast())
    }

    @Test func `an archive from another program is imported, and its export has the same records`() async throws {
        let archive = try Self.file("plain.archive")
        try await RunningServer.with { server in
            let connection = try server.connect()
            let report = try Self.restore(archive, .fillEmpty, connection)
            #expect(report.counts == report.added)
            #expect(report.counts.messages == 2 && report.counts.files == 2 && report.counts.contents == 2)
            #expect(report.header.revision == 42)
            let export = try connection.call(.beginArchive(.init())).archive
            var made: [UInt8] = []
            while true {
                let read = WireReadArchiveRequest.with {
                    $0.session = export.session
                    $0.offset = UInt64(made.count)
                }
                let piece = try connection.call(.readArchive(read)).archivePiece
                made += piece.data
                guard !piece.isLast, !piece.data.isEmpty else { break }
            }
            let (before, after) = (Self.content(of: archive), Self.content(of: made))
            #expect(before.count == after.count)
            for (index, record) in before.enumerated() {
                #expect(after.indices.contains(index) && after[index] == record, "record \(index)")
            }
        }
    }

    private static func restore(
        _ archive: [UInt8], _ aim: WireArchiveAim, _ connection: RawConnection
    ) throws -> WireArchiveRestoreReport {
        let begun = try connection.call(.beginArchiveRestore(.with { $0.aim = aim }))
        let write = WireWriteArchiveRestoreRequest.with {
            $0.session = begun.archiveRestore.session
            $0.data = Data(archive)
        }
        #expect(try connection.call(.writeArchiveRestore(write)).error.message == "")
        return try connection.call(
            .finishArchiveRestore(.with { $0.session = begun.archiveRestore.session })
        ).archiveRestoreReport
    }

    @Test func `an archive of changes from another program is merged after its base archive`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            _ = try Self.restore(try Self.file("plain.archive"), .fillEmpty, connection)
            let changes = try Self.file("changes.archive")
            let report = try Self.restore(changes, .merge, connection)
            #expect(report.header.sinceRevision == 42)
            #expect(report.updated.removals == 3 && report.updated.messages == 1 && report.updated.files == 1)
            #expect(report.added.logEntries == 1 && report.equal.directories == 2)
            let message = try connection.call(.getMessage(.with { $0.id = "message-1" })).message
            #expect(message.text == "hello again" && message.attachments.isEmpty)
            #expect(try connection.call(.getMessage(.with { $0.id = "message-2" })).error.reason == "MESSAGE_NOT_FOUND")
            let again = try Self.restore(changes, .merge, connection)
            #expect(again.equal == again.counts)
        }
    }
}
