import SQLCipher
import StoreBasics
import StoreCrypto

extension StoreReader {
    /// An item whose row refers to a content, with the content's number and size.
    typealias LocatedContent<Item> = (item: Item, content: Int64, byteCount: UInt64)

    /// Reads a part of a content.
    ///
    /// - Parameter locate: finds the content on the snapshot that is read.
    /// - Returns: `nil` if the content would have to be read from the disk and `mayWait` is false.
    func readContent<Item>(
        from offset: UInt64, byteCount: UInt64?, mayWait: Bool, into room: PieceRoom,
        _ locate: (Connection) throws(StoreError) -> LocatedContent<Item>
    ) throws(StoreError) -> Item? {
        var suspect: ContentState?
        while true {
            var state: ContentState?
            do throws(StoreError) {
                return try readPart(
                    from: offset, byteCount: byteCount, mayWait: mayWait, into: room, &state, locate)
            } catch {
                // The content may have been overwritten or removed after the snapshot began, so it is read again from a
                // new snapshot. If the content has the same state in the new snapshot, the file is damaged.
                guard error.reason == .fileDamaged, let state, state != suspect else { throw error }
                suspect = state
            }
        }
    }

    /// A content and the generation of its last write.
    private struct ContentState: Equatable {
        let id: ContentID
        let generation: UInt64
    }

    /// - Parameter state: set to the state of the content if it is in the vault.
    private func readPart<Item>(
        from offset: UInt64, byteCount: UInt64?, mayWait: Bool, into room: PieceRoom, _ state: inout ContentState?,
        _ locate: (Connection) throws(StoreError) -> LocatedContent<Item>
    ) throws(StoreError) -> Item? {
        let slice = WorkSlice.ofScan
        return try readSnapshot { (connection, contents) throws(StoreError) in
            let (item, content, size) = try locate(connection)
            let start = min(offset, size)
            let most = min(byteCount ?? size, UInt64(EngineLimits.filePieceBytesMax))
            let range = start..<(start + min(most, size - start))
            guard !range.isEmpty else { return item }
            switch try FileContents.place(of: content, connection, heldKey: contents.key) {
            case .database:
                try room(range.count) { memory throws(StoreError) in
                    try FileContents.copy(range, of: content, into: memory, connection)
                }
            case .vault(let stored):
                state = ContentState(id: stored.header.id, generation: stored.generation)
                let runs = try ChunkRunRows.read(stored.layout.chunks(of: range), of: content, connection)
                var isRead = true
                try room(range.count) { memory throws(StoreError) in
                    let count = try contents.read(range, of: stored, runs, into: memory, slice, mayWait: mayWait)
                    isRead = count != nil
                    return count ?? 0
                }
                guard isRead else { return nil }
            }
            return item
        }
    }
}

/// Allocates memory for a piece of `byteCount` bytes and calls `fill`, a second time if the piece has to be read again
/// from its beginning. `fill` returns the number of bytes, which is smaller if a slow disk would delay other requests.
package typealias PieceRoom = (
    _ byteCount: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(StoreError) -> Int
) throws(StoreError) -> Void
