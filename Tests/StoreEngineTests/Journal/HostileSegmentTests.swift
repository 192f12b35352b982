import StoreBasics
import TestBasics
import Testing

@testable import StoreCrypto
@testable import StoreEngine

/// Segments that somebody wrote who has the disk and not the key, but for the header that was there.
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

    /// At every eighth byte the head of a record that says it goes on to the end, and at the end a mark.
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

    /// Reading each as far as it says would be half a million times two megabytes.
    @Test func `heads all over a segment take no longer than a few readings of it, and it is damaged`() throws {
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
