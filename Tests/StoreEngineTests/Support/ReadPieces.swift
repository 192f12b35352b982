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
        var bytes: [UInt8] = []
        let item = try readFile(at: path, from: offset, byteCount: byteCount, mayWait: mayWait) {
            (count, fill) throws(StoreError) in
            bytes = try Self.filled(count, fill)
        }
        return item.map { ReadPiece(item: $0, bytes: bytes) }
    }

    func readAttachment(
        of message: EntityID, at position: UInt32, from offset: UInt64 = 0, byteCount: UInt64? = nil
    ) throws(StoreError) -> ReadPiece<Attachment> {
        var bytes: [UInt8] = []
        let attachment = try readAttachment(of: message, at: position, from: offset, byteCount: byteCount) {
            (count, fill) throws(StoreError) in
            bytes = try Self.filled(count, fill)
        }
        guard let attachment else { throw StoreError(.internal, "a read that may wait was not made") }
        return ReadPiece(item: attachment, bytes: bytes)
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
