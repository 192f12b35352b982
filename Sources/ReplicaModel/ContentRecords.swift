import StoreBasics

/// A part of a content, told in order from its start to its end: too large for one batch, it takes many.
package struct ContentPieceRecord: Hashable, Sendable {
    /// BLAKE2b-256 of the whole content.
    package static let digestBytes = 32
    package static let bytesMax = 128 << 10
    /// Where pieces begin and end but for the last: whole chunks of a content at rest.
    package static let alignment: UInt64 = 64 << 10

    package var digest: [UInt8]
    /// Of the whole content.
    package var byteCount: UInt64
    package var offset: UInt64
    package var bytes: [UInt8]

    package init(digest: [UInt8], byteCount: UInt64, offset: UInt64, bytes: [UInt8]) {
        self.digest = digest
        self.byteCount = byteCount
        self.offset = offset
        self.bytes = bytes
    }

    package var isLast: Bool { offset + UInt64(bytes.count) == byteCount }
}

/// A content that what follows has was told whole before: who lacks it by then asks for it.
package struct ContentNoticeRecord: Hashable, Sendable {
    package var digest: [UInt8]
    /// Who told it, and its batch that had the last of it.
    package var device: UInt64
    package var sequence: UInt64

    package init(digest: [UInt8], device: UInt64, sequence: UInt64) {
        self.digest = digest
        self.device = device
        self.sequence = sequence
    }
}

/// A device lacks a content that another has named: that one is to tell it again.
package struct ContentRequestRecord: Hashable, Sendable {
    package var digest: [UInt8]
    /// Who is asked.
    package var device: UInt64

    package init(digest: [UInt8], device: UInt64) {
        self.digest = digest
        self.device = device
    }
}

// MARK: As bytes

extension ContentPieceRecord {
    var encoded: [UInt8] {
        var encoded = digest
        encoded.reserveCapacity(Self.digestBytes + 20 + bytes.count)
        encoded.append(leb128: byteCount)
        encoded.append(leb128: offset)
        encoded += bytes
        return encoded
    }

    /// Nothing is believed of the numbers but that the piece lies within the content.
    init?(_ reader: inout ByteReader) {
        guard let digest = reader.bytes(Self.digestBytes), let byteCount = reader.leb128(),
            let offset = reader.leb128(), reader.remaining <= Self.bytesMax,
            let bytes = reader.bytes(reader.remaining), offset <= byteCount,
            UInt64(bytes.count) <= byteCount - offset, offset.isMultiple(of: Self.alignment),
            byteCount == 0 || !bytes.isEmpty
        else { return nil }
        self.init(digest: [UInt8](digest), byteCount: byteCount, offset: offset, bytes: [UInt8](bytes))
        guard isLast || bytes.count.isMultiple(of: Int(Self.alignment)) else { return nil }
    }
}

extension ContentNoticeRecord {
    var encoded: [UInt8] {
        var encoded = digest
        encoded.append(bigEndian: device)
        encoded.append(bigEndian: sequence)
        return encoded
    }

    init?(_ reader: inout ByteReader) {
        guard let digest = reader.bytes(ContentPieceRecord.digestBytes), let device: UInt64 = reader.bigEndian(),
            let sequence: UInt64 = reader.bigEndian()
        else { return nil }
        self.init(digest: [UInt8](digest), device: device, sequence: sequence)
    }
}

extension ContentRequestRecord {
    var encoded: [UInt8] {
        var encoded = digest
        encoded.append(bigEndian: device)
        return encoded
    }

    init?(_ reader: inout ByteReader) {
        guard let digest = reader.bytes(ContentPieceRecord.digestBytes), let device: UInt64 = reader.bigEndian()
        else { return nil }
        self.init(digest: [UInt8](digest), device: device)
    }
}
