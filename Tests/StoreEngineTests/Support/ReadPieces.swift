import StoreBasics

@testable import StoreEngine

/// A part of a file or an attachment, with its bytes in an array.
struct ReadPiece<Item> {
    var item: Item
    var bytes: [UInt8]
}

extension StoreReader {
    func readFile(
        at path: FilePath, from offset: UInt64 = 0, byteCount: UInt64? = nil
    ) throws(StoreError) -> ReadPiece<FileItem> {
        guard let piece = try readFile(at: path, from: offset, byteCount: byteCount, mayWait: true) else {
            throw StoreError(.internal, "a read that may wait was not made")
        }
        return piece
    }

    /// Reads a part of a file. Returns `nil` if the bytes must be read from the disk and `mayWait` is false.
    func readFile(
        at path: FilePath, from offset: UInt64, byteCount: UInt64?, mayWait: Bool
    ) throws(StoreError) -> ReadPiece<FileItem>? {
        try Self.piece(from: offset, byteCount) { (offset, byteCount, room) throws(StoreError) in
            try readFile(at: path, from: offset, byteCount: byteCount, mayWait: mayWait, into: room)
        }
    }

    func readAttachment(
        of message: EntityID, at position: UInt32, from offset: UInt64 = 0, byteCount: UInt64? = nil
    ) throws(StoreError) -> ReadPiece<Attachment> {
        let piece = try Self.piece(from: offset, byteCount) { (offset, byteCount, room) throws(StoreError) in
            try readAttachment(of: message, at: position, from: offset, byteCount: byteCount, into: room)
        }
        guard let piece else { throw StoreError(.internal, "a read that may wait was not made") }
        return piece
    }

    /// Repeats a read until it has returned all bytes of the piece. A single read returns fewer if its time slice ends,
    /// which happens on a busy machine. If the item changes between two reads, the piece is read again from its
    /// beginning.
    private static func piece<Item: Equatable>(
        from offset: UInt64, _ byteCount: UInt64?,
        _ read: (UInt64, UInt64?, PieceRoom) throws(StoreError) -> Item?
    ) throws(StoreError) -> ReadPiece<Item>? {
        var piece: ReadPiece<Item>?
        var missing: Int?
        while missing != 0 {
            let start = offset + UInt64(piece?.bytes.count ?? 0)
            var (asked, part): (Int, [UInt8]) = (0, [])
            let item = try read(start, missing.map(UInt64.init) ?? byteCount) { (count, fill) throws(StoreError) in
                asked = count
                part = try filled(count, fill)
            }
            guard let item else { return nil }
            if let begun = piece, begun.item != item {
                (piece, missing) = (nil, nil)
                continue
            }
            piece = ReadPiece(item: item, bytes: (piece?.bytes ?? []) + part)
            missing = asked - part.count
        }
        return piece
    }

    private static func filled(
        _ byteCount: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(StoreError) -> Int
    ) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xEE, count: byteCount)
        let count = try bytes.withUnsafeMutableBufferPointer { memory throws(StoreError) in
            try fill(UnsafeMutableRawBufferPointer(memory))
        }
        return Array(bytes.prefix(count))
    }
}
