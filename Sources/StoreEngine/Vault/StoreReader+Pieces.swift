import SQLCipher
import StoreBasics
import StoreCrypto

extension StoreReader {
    /// What a row says of its content: with what else is told of it, the content's number and its bytes.
    typealias LocatedContent<Item> = (item: Item, content: Int64, byteCount: UInt64)

    /// A part of a content.
    ///
    /// - Parameter locate: finds it, on the snapshot that is read.
    /// - Returns: `nil` where it would have to be read from the disk, and may not be.
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
                // What was written over or removed since the snapshot began is no damage: that is what is the same in
                // the next one too.
                guard error.reason == .fileDamaged, let state, state != suspect else { throw error }
                suspect = state
            }
        }
    }

    /// Which content a file had, and of which write it was.
    private struct ContentState: Equatable {
        let id: ContentID
        let generation: UInt64
    }

    /// - Parameter state: of the content in the vault that is read.
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

/// Makes memory for a piece of so many bytes and has it filled, once or, where the piece has to be read again, from the
/// beginning. What fills it tells how many bytes there are: fewer where a slow disk would keep others waiting.
package typealias PieceRoom = (
    _ byteCount: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(StoreError) -> Int
) throws(StoreError) -> Void
