import StoreBasics

/// A position in the merged entries of all devices of a log. It has the last sequence number of each device. A single
/// number would not suffice: entries that arrive late from one device belong before entries that were already read, and
/// would be skipped.
package struct LogPlace: Hashable, Sendable {
    struct Device: Hashable {
        var device: UInt64
        var opened: UInt64
    }

    /// The revision at which the store's own log was created; 0 for any.
    var createdRevision: UInt64 = 0
    /// The sequence number of the last entry of this store that was read.
    var ownSequence: UInt64 = 0
    /// For each other device, the sequence number of the last of its entries that was read.
    var sequences: [Device: UInt64] = [:]

    /// The position before all entries.
    package static let start = LogPlace()

    private init() {}

    init(createdRevision: UInt64, ownSequence: UInt64) {
        self.createdRevision = createdRevision
        self.ownSequence = ownSequence
    }

    // MARK: Encoding

    private static let version: UInt8 = 1

    package var bytes: [UInt8] {
        var bytes: [UInt8] = [Self.version]
        bytes.append(leb128: createdRevision)
        bytes.append(leb128: ownSequence)
        let devices = sequences.sorted { ($0.key.device, $0.key.opened) < ($1.key.device, $1.key.opened) }
        for (device, sequence) in devices {
            bytes.append(bigEndian: device.device)
            bytes.append(leb128: device.opened)
            bytes.append(leb128: sequence)
        }
        return bytes
    }

    /// - Throws: `.invalidArgument` for bytes that are not a position.
    package init(_ bytes: [UInt8]) throws(StoreError) {
        guard bytes.count <= EngineLimits.logPlaceBytesMax, let place = bytes.withUnsafeBytes(Self.read) else {
            throw .invalidArgument("the position is not valid; use a position that a page of the log returned")
        }
        self = place
    }

    private static func read(_ bytes: UnsafeRawBufferPointer) -> LogPlace? {
        var reader = ByteReader(bytes)
        guard reader.byte() == version, let revision = reader.leb128(), let own = reader.leb128() else { return nil }
        var place = LogPlace(createdRevision: revision, ownSequence: own)
        while !reader.isAtEnd {
            guard let device: UInt64 = reader.bigEndian(), let opened = reader.leb128(),
                let sequence = reader.leb128()
            else { return nil }
            place.sequences[Device(device: device, opened: opened)] = sequence
        }
        return place
    }
}
