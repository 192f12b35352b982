/// A CacheAdvance file in memory: read as its library reads it, and grown byte for byte as its library grows it.
package struct CacheAdvanceFile: Hashable, Sendable {
    package let configuration: CacheAdvanceConfiguration
    /// The whole file.
    package private(set) var bytes: [UInt8]
    private var header: CacheAdvanceHeader
    /// Where each message's length starts, oldest message first.
    private var offsets: [UInt64]

    /// A new file without messages.
    package init(_ configuration: CacheAdvanceConfiguration) {
        self.configuration = configuration
        header = CacheAdvanceHeader(
            configuration, oldest: CacheAdvanceLayout.headerBytes, endOfNewest: CacheAdvanceLayout.headerBytes)
        bytes = header.bytes
        offsets = []
    }

    /// Reads a file. What lies between the newest and the oldest message of a file that was written over belongs to
    /// no message any more and is not looked at.
    ///
    /// - Throws: `InterchangeError` naming the first offset that cannot be.
    package init(parsing bytes: [UInt8]) throws(InterchangeError) {
        header = try CacheAdvanceHeader(bytes)
        configuration = header.configuration
        offsets = try CacheAdvanceScan(bytes, header).messageOffsets()
        self.bytes = bytes
    }

    package var messageCount: Int { offsets.count }

    /// Oldest first.
    package var messages: [[UInt8]] {
        offsets.map { message(at: $0) }
    }

    /// Adds a message, displacing the oldest ones where the file may.
    ///
    /// - Returns: `.fits`, or why the file was left as it is.
    /// - Precondition: the message is not empty; the file's own library could not read an empty one.
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

    /// The oldest offset once what the new message displaces is gone: a message of the part behind it, else the end
    /// of the file, which its library reads as "go on behind the header", unless the new message reaches that end.
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
