/// The sizes and places of a CacheAdvance file, version 1 (https://github.com/dfed/CacheAdvance). Numbers are
/// big-endian.
package enum CacheAdvanceLayout {
    package static let version: UInt8 = 1
    /// Bytes before the first message.
    package static let headerBytes: UInt64 = 64
    /// Bytes of the length before each message.
    package static let lengthBytes: UInt64 = 4
    /// Most bytes a message takes with its length: a 32-bit reader must be able to hold it.
    package static let storedBytesMax = UInt64(Int32.max) - 1

    static let versionOffset = 0
    static let maximumBytesOffset = 1
    static let overwritesOffset = 9
    static let oldestOffset = 10
    static let endOfNewestOffset = 18
    static let reservedOffset = 26

    /// Bytes a message of so many bytes takes in the file.
    package static func storedBytes(messageBytes: Int) -> UInt64 {
        lengthBytes + UInt64(messageBytes)
    }
}

/// What is fixed for the life of a file.
package struct CacheAdvanceConfiguration: Hashable, Sendable {
    /// Most bytes of the file, its header included.
    package var maximumBytes: UInt64
    /// New messages take the place of the oldest ones once the file is full.
    package var overwritesOldest: Bool

    package init(maximumBytes: UInt64, overwritesOldest: Bool) {
        self.maximumBytes = maximumBytes
        self.overwritesOldest = overwritesOldest
    }
}

/// The first 64 bytes of a file.
struct CacheAdvanceHeader: Hashable {
    var configuration: CacheAdvanceConfiguration
    /// Where the oldest message starts, or the end of the file when the oldest one starts behind the header.
    var oldest: UInt64
    var endOfNewest: UInt64

    private static let reservedCount = Int(CacheAdvanceLayout.headerBytes) - CacheAdvanceLayout.reservedOffset

    init(_ configuration: CacheAdvanceConfiguration, oldest: UInt64, endOfNewest: UInt64) {
        self.configuration = configuration
        self.oldest = oldest
        self.endOfNewest = endOfNewest
    }

    /// - Throws: `InterchangeError` for a file too short for a header, of another version, or with a flag that is
    ///   neither 0 nor 1.
    init(_ bytes: [UInt8]) throws(InterchangeError) {
        guard bytes.count >= Int(CacheAdvanceLayout.headerBytes) else {
            throw InterchangeError(
                offset: UInt64(bytes.count),
                "the file ends inside its header of \(CacheAdvanceLayout.headerBytes) bytes")
        }
        let version = bytes[CacheAdvanceLayout.versionOffset]
        guard version == CacheAdvanceLayout.version else {
            throw InterchangeError(
                offset: 0, "the file has version \(version); only version \(CacheAdvanceLayout.version) is supported")
        }
        let flag = bytes[CacheAdvanceLayout.overwritesOffset]
        guard flag <= 1 else {
            throw InterchangeError(
                offset: UInt64(CacheAdvanceLayout.overwritesOffset),
                "the flag for overwriting is \(flag); it must be 0 or 1")
        }
        self.init(
            CacheAdvanceConfiguration(
                maximumBytes: BigEndian.number(bytes, at: CacheAdvanceLayout.maximumBytesOffset, count: 8),
                overwritesOldest: flag == 1),
            oldest: BigEndian.number(bytes, at: CacheAdvanceLayout.oldestOffset, count: 8),
            endOfNewest: BigEndian.number(bytes, at: CacheAdvanceLayout.endOfNewestOffset, count: 8))
    }

    var bytes: [UInt8] {
        var bytes = [CacheAdvanceLayout.version]
        BigEndian.append(configuration.maximumBytes, count: 8, to: &bytes)
        bytes.append(configuration.overwritesOldest ? 1 : 0)
        BigEndian.append(oldest, count: 8, to: &bytes)
        BigEndian.append(endOfNewest, count: 8, to: &bytes)
        bytes += [UInt8](repeating: 0, count: Self.reservedCount)
        return bytes
    }
}

/// Numbers whose first byte counts most.
enum BigEndian {
    static func number(_ bytes: [UInt8], at offset: Int, count: Int) -> UInt64 {
        bytes[offset..<(offset + count)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    static func append(_ number: UInt64, count: Int, to bytes: inout [UInt8]) {
        for place in (0..<count).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(place * 8)))
        }
    }
}
