import Testing

@testable import StoreEngine

@Suite struct ChangeCodecTests {
    /// Parents of every length, so that no first byte of a length is taken for a mark.
    @Test func whatIsWrittenIsReadBack() throws {
        var entries: [ChangeEntry] = []
        for length in 0...256 {
            let scene = String(repeating: "s", count: length)
            for key in ["k", String(repeating: "k", count: 256)] {
                entries.append(ChangeEntry(kind: .sceneValue, operation: .updated, id: key, conversationID: scene))
            }
            let conversation = String(repeating: "s", count: min(length, EntityID.bytesMax))
            entries.append(
                ChangeEntry(kind: .message, operation: .created, id: "m", conversationID: conversation))
            entries.append(ChangeEntry(kind: .log, operation: .created, id: scene, conversationID: ""))
        }
        let bytes = ChangeCodec.encode(entries[...])
        #expect(try bytes.withUnsafeBytes { try ChangeCodec.decode($0) } == entries)
    }

    @Test func aSceneThatRepeatsNothingIsDamage() {
        let bytes: [UInt8] = [5, 1, 1, 0x6b, 1]
        #expect(throws: StoreError.self) { try bytes.withUnsafeBytes { try ChangeCodec.decode($0) } }
    }
}
