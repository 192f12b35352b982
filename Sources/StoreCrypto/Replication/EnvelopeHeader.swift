package import ReplicaModel
package import StoreBasics

/// The unencrypted part of an envelope: magic, the format's version (always 3), group (16 bytes), the envelope's
/// position, the epoch's number (4 bytes) and maker (8 bytes), hash of the previous envelope (32 bytes). Numbers are
/// big-endian. proto-docs/REPLICATION.md has the layout.
package protocol EnvelopeHeader: Hashable, Sendable {
    static var format: EnvelopeFormat { get }

    /// The group's id, 16 bytes.
    var group: [UInt8] { get }
    /// The epoch whose key seals the envelope.
    var epoch: EpochID { get }
    /// The hash of the previous envelope, 32 bytes; zeros for the first.
    var previousHash: [UInt8] { get }
    /// The encoded fields that give the envelope's position in its stream.
    var place: [UInt8] { get }

    /// Creates a header from decoded fields.
    ///
    /// - Returns: `nil` if the position is invalid.
    init?(group: [UInt8], place: inout ByteReader, epoch: EpochID, previousHash: [UInt8])
}

extension EnvelopeHeader {
    /// The size of every header of this kind.
    package static var byteCount: Int { format.headerBytes }

    /// The encoded header, with which the envelope begins.
    package var encoded: [UInt8] {
        precondition(
            group.count == EnvelopeFormat.groupBytes && previousHash.count == EnvelopeFormat.hashBytes,
            "a group id must have 16 bytes, and a hash 32 bytes")
        var bytes = Self.format.magic
        bytes.reserveCapacity(Self.byteCount)
        bytes.append(EnvelopeFormat.version)
        bytes += group
        bytes += place
        bytes.append(bigEndian: epoch.number)
        bytes.append(bigEndian: epoch.maker)
        bytes += previousHash
        precondition(bytes.count == Self.byteCount, "a field must have the length that its format defines")
        return bytes
    }

    /// Decodes the header of a complete envelope. The header is not authentic until the signature was checked.
    ///
    /// - Throws: the format's codes: for a wrong magic, length or field, such as `.batchMalformed`, and for an unknown
    ///   version, such as `.batchVersionUnknown`.
    package init(parsing envelope: [UInt8]) throws(CryptoError) {
        let format = Self.format
        guard envelope.starts(with: format.magic), let version = envelope.dropFirst(format.magic.count).first else {
            throw format.malformed("the first bytes do not match the format")
        }
        // In version 1 the nonce depended only on the envelope's position, and records of version 2 had no tagged
        // fields. Messages of both versions are rejected: a device that finds such a message in a channel requests a
        // snapshot, in the same way as after lost messages.
        guard version >= EnvelopeFormat.version else {
            throw format.malformed("an earlier version of ghoststore wrote the bytes")
        }
        guard version == EnvelopeFormat.version else { throw format.versionUnknown }
        guard envelope.count >= format.overheadBytes else { throw format.malformed("there are too few bytes") }
        guard envelope.count <= EnvelopeFormat.envelopeBytesMax else {
            throw format.malformed("there are too many bytes")
        }
        guard let header = envelope.withUnsafeBytes({ Self(fieldsOf: $0) }) else {
            throw format.malformed("the header has an impossible value")
        }
        self = header
    }

    private init?(fieldsOf envelope: UnsafeRawBufferPointer) {
        var reader = ByteReader(envelope)
        guard reader.bytes(EnvelopeFormat.magicBytes + 1) != nil, let group = reader.bytes(EnvelopeFormat.groupBytes),
            let place = reader.bytes(Self.format.placeBytes), let number: UInt32 = reader.bigEndian(),
            let maker: UInt64 = reader.bigEndian(), let previousHash = reader.bytes(EnvelopeFormat.hashBytes)
        else { return nil }
        var placeReader = ByteReader(place)
        self.init(
            group: [UInt8](group), place: &placeReader, epoch: EpochID(number: number, maker: maker),
            previousHash: [UInt8](previousHash))
    }
}
