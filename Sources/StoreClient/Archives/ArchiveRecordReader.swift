import StoreProtocol
import SwiftProtobuf

/// Reads the records of a plain archive from its bytes, which may arrive in pieces of any size. It trusts none of the
/// bytes. Errors contain the offset at which the faulty record begins.
///
/// The archive is known to be complete when `finish` returns. The reader does not check the archive's digest. The
/// daemon checks it during a restore, which changes nothing if its aim is `ArchiveAim.verify`.
///
/// ```swift
/// var reader = ArchiveRecordReader()
/// reader.feed(bytes)
/// while let record = try reader.next() {
///     print(record.kind)
/// }
/// try reader.finish()
/// ```
public struct ArchiveRecordReader: Sendable {
    static let magic = Array("ghost-archive 1\n".utf8)
    static let lengthBytes = 4
    static let recordBytesMax = 16 << 20

    private var buffer: [UInt8] = []
    private var start = 0
    private var hasMagic = false
    private var order = ArchiveOrderChecker()
    /// The number of bytes of the magic and of the records that were returned.
    public private(set) var offset: UInt64 = 0

    /// Creates a reader at the start of an archive.
    public init() {}

    /// The number of records that were returned, by kind.
    public var counts: ArchiveCounts { order.counts }

    /// Adds the next bytes of the archive.
    public mutating func feed(_ bytes: [UInt8]) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer += bytes
    }

    /// Returns the next record; `nil` if more bytes are needed, and after the footer.
    ///
    /// - Throws: `.archiveDamaged`. Wrong counts are detected at the footer.
    public mutating func next() throws(StoreClientError) -> ArchiveRecord? {
        try readMagic()
        guard !order.hasEnded else {
            guard start == buffer.count else {
                throw .archiveDamaged("bytes follow the end of the archive", at: offset)
            }
            return nil
        }
        guard hasMagic, let frame = try nextFrame() else { return nil }
        guard let wire = try? WireArchiveRecord(serializedBytes: Array(buffer[frame])) else {
            throw .archiveDamaged("the bytes of a record are not protobuf", at: offset)
        }
        guard let record = ArchiveRecord(wire) else {
            throw .archiveDamaged("a record is of a kind that this client does not know", at: offset)
        }
        if let fault = order.check(record) {
            throw .archiveDamaged(fault, at: offset)
        }
        offset += UInt64(Self.lengthBytes + frame.count)
        start = frame.upperBound
        return record
    }

    /// Ends the reading after the last bytes.
    ///
    /// - Throws: `.archiveDamaged` if the archive is incomplete.
    public func finish() throws(StoreClientError) {
        guard order.hasEnded, start == buffer.count else {
            throw .archiveDamaged("the archive ends before the footer", at: offset + UInt64(buffer.count - start))
        }
    }

    private mutating func readMagic() throws(StoreClientError) {
        guard !hasMagic else { return }
        for (index, (byte, wanted)) in zip(buffer, Self.magic).enumerated() where byte != wanted {
            throw .archiveDamaged("the first bytes are not the bytes of an archive of this version", at: UInt64(index))
        }
        guard buffer.count >= Self.magic.count else { return }
        hasMagic = true
        start = Self.magic.count
        offset = UInt64(start)
    }

    /// Returns the range of the next complete record after its length; `nil` if more bytes are needed.
    private func nextFrame() throws(StoreClientError) -> Range<Int>? {
        guard buffer.count - start >= Self.lengthBytes else { return nil }
        let first = start + Self.lengthBytes
        let length = buffer[start..<first].reduce(0) { $0 << 8 | Int($1) }
        guard 1...Self.recordBytesMax ~= length else {
            throw .archiveDamaged(
                "a record has \(length) bytes; it must have 1 to \(Self.recordBytesMax)", at: offset)
        }
        return first + length <= buffer.count ? first..<(first + length) : nil
    }
}

extension StoreClientError {
    static func archiveDamaged(_ cause: String, at offset: UInt64) -> StoreClientError {
        StoreClientError(
            code: .invalidArgument, reason: .archiveDamaged,
            message: "the archive is damaged: \(cause) (byte \(offset))")
    }
}
