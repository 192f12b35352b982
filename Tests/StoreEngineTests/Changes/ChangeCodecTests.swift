import Testing

@testable import StoreEngine

@Suite struct ChangeCodecTests {
    /// Tests ids and parents of every length.
    @Test func `encoded entries decode to the same entries`() throws {
        var entries: [ChangeEntry] = []
        for length in 0...256 {
            let scene = String(repeating: "s", count: length)
            for key in ["k", String(repeating: "k", count: 256)] {
                entries.append(ChangeEntry(kind: .sceneValue, operation: .updated, id: key, parent: scene))
            }
            let conversation = String(repeating: "s", count: min(length, EntityID.bytesMax))
            entries.append(
                ChangeEntry(kind: .message, operation: .created, id: "m", parent: conversation))
            entries.append(ChangeEntry(kind: .log, operation: .created, id: scene, parent: ""))
        }
        let bytes = ChangeCodec.encode(entries[...])
        #expect(try bytes.withUnsafeBytes { try ChangeCodec.decode($0) } == entries)
    }

    // The mark 5 is valid: the second text of the entry is then the name of a kind.
    @Test(arguments: (2...UInt8.max).filter { $0 != 5 })
    func `a position of the parent that no encoder writes is damage`(mark: UInt8) {
        let bytes: [UInt8] = [5, 1, mark, 1, 0x6b, 1, 0x73]
        #expect(throws: StoreError.self) { try bytes.withUnsafeBytes { try ChangeCodec.decode($0) } }
    }
}
