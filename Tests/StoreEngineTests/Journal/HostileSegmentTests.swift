import StoreBasics
import TestBasics
import Testing

@testable import StoreCrypto
@testable import StoreEngine

/// Tests segments written by an attacker with access to the disk but without the key. Only the header is genuine.
@Suite struct HostileSegmentTests {
    private static let fileBytes = 4 << 20
    private let folder = try? TemporaryDirectory()
    private let header = SegmentHeader(
        keyGeneration: 1, sequence: 1, history: .random(), previous: .start, fileBytes: UInt64(fileBytes),
        salt: [UInt8](repeating: 5, count: SegmentHeader.saltBytes))

    private func key() throws -> JournalKey {
        let bytes = [UInt8](repeating: 3, count: 32)
        return JournalKey(bytes: try MasterKey(bytes: SecretBytes(copying: bytes)).subkey(.journal))
    }

    /// Returns a segment with a mark at its end. At every eighth byte it has the head of a record whose length reaches
    /// to the end.
    private func segmentOfHeads(mark: SyncMark, under key: borrowing SegmentKey) -> [UInt8] {
        var file = header.content + key.headerAuthenticator
        file += [UInt8](repeating: 0, count: Self.fileBytes - file.count)
        let markAt = Self.fileBytes - RecordLayout.markBytes
        for place in stride(from: RecordLayout.firstOffset, to: markAt - RecordLayout.overheadBytes, by: 8) {
            let contentBytes = UInt32(Self.fileBytes - place - RecordLayout.overheadBytes)
            withUnsafeBytes(of: (contentBytes.bigEndian, UInt32(1).bigEndian)) { head in
                file.replaceSubrange(place..<(place + 8), with: head)
            }
        }
        mark.withBytes(under: key) { file.replaceSubrange(markAt..., with: $0) }
        return file
    }

    /// Checks that records with false lengths are not read in their whole length. Otherwise an opening would make half
    /// a million reads of two megabytes each.
    @Test func `false heads of records all over a segment cost at most a few reads of it, and are damage`() throws {
        let folder = try #require(folder)
        let journalKey = try key()
        let state = try StateDirectory(path: folder.path)
        let journal = try JournalFolder(in: state)
        let file = segmentOfHeads(
            mark: SyncMark(record: 9, isClosing: false), under: try journalKey.segmentKey(header: header.content))
        try TestFile.write(file, to: folder.path + "/journal/0")
        let found = try JournalSegments(in: journal, under: journalKey, generation: 1)
        let segment = try #require(found.following.first)
        let start = ContinuousClock.now
        #expect(throws: StoreError.self) { _ = try SegmentScan(segment, under: journalKey) { _, _ in } }
        #expect(try SegmentScan.newestRecord(of: segment, under: journalKey) == 9)
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}
