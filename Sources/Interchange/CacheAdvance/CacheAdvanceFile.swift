/// A CacheAdvance file in memory. This type reads and extends a file exactly as the CacheAdvance library does.
package struct CacheAdvanceFile: Hashable, Sendable {
    package let configuration: CacheAdvanceConfiguration
    package private(set) var bytes: [UInt8]
    private var header: CacheAdvanceHeader
    /// The offset of each message's length, oldest message first.
    private var offsets: [UInt64]

    /// Creates a file without messages.
    package init(_ configuration: CacheAdvanceConfiguration) {
        self.configuration = configuration
        header = CacheAdvanceHeader(
            configuration, oldest: CacheAdvanceLayout.headerBytes, endOfNewest: CacheAdvanceLayout.headerBytes)
        bytes = header.bytes
        offsets = []
    }

    /// Parses a file. In a file whose oldest messages were overwritten, the bytes between the newest and the oldest
    /// message belong to no message and are ignored.
    ///
    /// - Throws: `InterchangeError` with the first invalid offset.
    package init(parsing bytes: [UInt8]) throws(InterchangeError) {
        header = try CacheAdvanceHeader(bytes)
        configuration = header.configuration
        offsets = try CacheAdvanceScan(bytes, header).messageOffsets()
        self.bytes = bytes
    }

    package var messageCount: Int { offsets.count }

    /// The messages, oldest first.
    package var messages: [[UInt8]] {
        offsets.map { message(at: $0) }
    }

    /// Adds a message. Displaces the oldest messages if the file allows it.
    ///
    /// - Returns: `.fits`, or the reason for which the file was not changed.
    /// - Precondition: the message is not empty, because the CacheAdvance library cannot read an empty one.
    @discardableResult
    package mutating func append(_ message: [UInt8]) -> CacheAdvancePlacement.Outcome {
        precondition(!message.isEmpty, "a message must have at least one byte")
        let outcome = CacheAdvancePlacement.next(
            storedBytes: CacheAdvanceLayout.storedBytes(messageBytes: message.count), endOfNewest: header.endOfNewest,
            configuration)
        if case .fits(let placement) = outcome {
            write(message, placement)
        }
        return outcome
    }

    private mutating func write(_ message: [UInt8], _ placement: CacheAdvancePlacement) {
        if placement.startsOver {
            bytes.removeSubrange(Int(header.endOfNewest)...)
        }
        let kept = offsets.firstIndex { !placement.displaces($0) } ?? offsets.count
        let isWrapped = placement.startsOver || header.oldest > header.endOfNewest
        offsets.removeFirst(kept)
        if isWrapped {
            header.oldest = oldest(after: placement)
        }
        offsets.append(placement.offset)
        var stored: [UInt8] = []
        BigEndian.append(UInt64(message.count), count: Int(CacheAdvanceLayout.lengthBytes), to: &stored)
        stored += message
        let start = Int(placement.offset)
        bytes.replaceSubrange(start..<min(bytes.count, start + stored.count), with: stored)
        header.endOfNewest = placement.end
        bytes.replaceSubrange(0..<Int(CacheAdvanceLayout.headerBytes), with: header.bytes)
    }

    /// Returns the header's offset of the oldest message, after a new message has displaced old ones. There are three
    /// cases. If an old message remains after the end of the new message: the offset of the first such message. If no
    /// old message remains there: the size of the file, with which a reader begins at the message directly after the
    /// header. If the new message itself reaches the end of the file: the size of the header.
    private func oldest(after placement: CacheAdvancePlacement) -> UInt64 {
        if let first = offsets.first, first > placement.offset {
            return first
        }
        let endOfFile = UInt64(bytes.count)
        return placement.end >= endOfFile ? CacheAdvanceLayout.headerBytes : endOfFile
    }

    private func message(at offset: UInt64) -> [UInt8] {
        let start = Int(offset)
        let length = Int(BigEndian.number(bytes, at: start, count: Int(CacheAdvanceLayout.lengthBytes)))
        let first = start + Int(CacheAdvanceLayout.lengthBytes)
        return Array(bytes[first..<(first + length)])
    }
}
