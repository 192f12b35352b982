import SQLCipher
import StoreBasics

/// Reads a content from its start to its end, in pieces of the size that an archive uses.
struct ArchivePieces {
    private let content: Int64
    private let byteCount: UInt64
    private var position: UInt64 = 0

    /// - Parameter content: The content's number in `file_contents`.
    init(of content: Int64, byteCount: UInt64) {
        self.content = content
        self.byteCount = byteCount
    }

    /// Returns the next piece; `nil` at the end.
    mutating func next(_ connection: Connection, _ contents: OpenContents) throws(StoreError) -> [UInt8]? {
        guard position < byteCount else { return nil }
        let end = min(byteCount, position + UInt64(ArchiveLimits.filePieceBytesMax))
        let range = position..<end
        let bytes: [UInt8]
        switch try FileContents.place(of: content, connection, heldKey: contents.key) {
        case .database:
            bytes = try FileContents.bytes(of: content, range, connection)
        case .vault(let stored):
            let runs = try ChunkRunRows.read(stored.layout.chunks(of: range), of: content, connection)
            bytes = try contents.read(range, of: stored, runs, .ofScan)
        }
        guard !bytes.isEmpty else { throw .databaseDamaged("a content has fewer bytes than its recorded length") }
        position += UInt64(bytes.count)
        return bytes
    }
}
