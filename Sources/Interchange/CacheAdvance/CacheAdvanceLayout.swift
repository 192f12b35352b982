/// The layout of a CacheAdvance file, version 1 (https://github.com/dfed/CacheAdvance). Numbers are big-endian.
package enum CacheAdvanceLayout {
    package static let version: UInt8 = 1
    /// The size of the header before the first message.
    package static let headerBytes: UInt64 = 64
    /// The size of the length before each message.
    package static let lengthBytes: UInt64 = 4
    /// The largest size of a message with its length, which the library limits so that a signed number of 32 bits can
    /// represent it.
    package static let storedBytesMax = UInt64(Int32.max) - 1

    static let versionOffset = 0
    static let maximumBytesOffset = 1
    static let overwritesOffset = 9
    static let oldestOffset = 10
    static let endOfNewestOffset = 18
    static let reservedOffset = 26

    /// Returns the size of a message in the file, including its length.
    package static func storedBytes(messageBytes: Int) -> UInt64 {
        lengthBytes + UInt64(messageBytes)
    }
}

/// The properties of a file that never change.
package struct CacheAdvanceConfiguration: Hashable, Sendable {
    /// The most bytes of the file, including its header.
    package var maximumBytes: UInt64
    /// True if new messages replace the oldest ones when the file is full.
    package var overwritesOldest: Bool

    package init(maximumBytes: UInt64, overwritesOldest: Bool) {
        self.maximumBytes = maximumBytes
        self.overwritesOldest = overwritesOldest
    }
}

/// The first 64 bytes of a file.
struct CacheAdvanceHeader: Hashable {
    var configuration: CacheAdvanceConfiguration
    /// The offset of the oldest message. If the oldest message directly follows the header, this is the end of the file
    /// instead.
    var oldest: UInt64
    var endOfNewest: UInt64

    private static let reservedCount = Int(CacheAdvanceLayout.headerBytes) - CacheAdvanceLayout.reservedOffset

    init(_ configuration: CacheAdvanceConfiguration, oldest: UInt64, endOfNewest: UInt64) {
        self.configuration = configuration
        self.oldest = oldest
        self.endOfNewest = endOfNewest
    }

    /// Parses the header at the beginning of a file.
    ///
    /// - Throws: `InterchangeError` for a file that is too short for a header, has another version, or has a flag that
    ///   is neither 0 nor 1.
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

/// Reading and writing of big-endian numbers.
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
