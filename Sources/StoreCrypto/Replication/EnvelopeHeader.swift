package import ReplicaModel
package import StoreBasics

/// The part of an envelope in the clear: magic, version 3, group (16), place, number (4) and maker (8) of the epoch,
/// hash of the envelope before (32). Numbers are big-endian. proto-docs/REPLICATION.md has the layout.
package protocol EnvelopeHeader: Hashable, Sendable {
    static var format: EnvelopeFormat { get }

    /// The group's id, 16 bytes.
    var group: [UInt8] { get }
    /// Whose key it is sealed with.
    var epoch: EpochID { get }
    /// Of the envelope before it, 32 bytes; zeros for the first.
    var previousHash: [UInt8] { get }
    /// The fields that say where in its channel the envelope belongs.
    var place: [UInt8] { get }

    /// - Returns: `nil` for a place that no envelope has.
    init?(group: [UInt8], place: inout ByteReader, epoch: EpochID, previousHash: [UInt8])
}

extension EnvelopeHeader {
    /// Bytes of every header of this kind.
    package static var byteCount: Int { format.headerBytes }

    /// The header as an envelope begins with it.
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

    /// Reads the header of a whole envelope. Nothing of it is authentic before the signature was checked.
    ///
    /// - Throws: the format's codes: for what cannot be one by its magic, its length or a field, such as
    ///   `.batchMalformed`, and for a version that is not known, such as `.batchVersionUnknown`.
    package init(parsing envelope: [UInt8]) throws(CryptoError) {
        let format = Self.format
        guard envelope.starts(with: format.magic), let version = envelope.dropFirst(format.magic.count).first else {
            throw format.malformed("the first bytes do not match the format")
        }
        // In version 1 the nonce depended on the place alone, and records of version 2 had no tagged fields. Neither is
        // read: a device that finds such messages in a channel asks for a snapshot, as for lost messages.
        guard version >= EnvelopeFormat.version else {
            throw format.malformed("an earlier version of ghoststore wrote the message")
        }
        guard version == EnvelopeFormat.version else { throw format.versionUnknown }
        guard envelope.count >= format.overheadBytes else { throw format.malformed("the message is too short") }
        guard envelope.count <= EnvelopeFormat.envelopeBytesMax else {
            throw format.malformed("the message is too long")
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
