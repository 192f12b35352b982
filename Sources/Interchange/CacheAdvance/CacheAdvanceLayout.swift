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
