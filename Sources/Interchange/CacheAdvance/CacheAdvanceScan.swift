/// Iterates over the messages of a file from the oldest to the newest, and checks every length.
struct CacheAdvanceScan {
    private let bytes: [UInt8]
    private let header: CacheAdvanceHeader

    init(_ bytes: [UInt8], _ header: CacheAdvanceHeader) {
        self.bytes = bytes
        self.header = header
    }

    /// Returns the offsets of all messages, oldest first.
    ///
    /// - Throws: `InterchangeError` with the offset of an invalid length or header field.
    func messageOffsets() throws(InterchangeError) -> [UInt64] {
        try checkHeader()
        let start = CacheAdvanceLayout.headerBytes
        guard header.oldest > header.endOfNewest else {
            return try offsets(from: header.oldest, to: header.endOfNewest)
        }
        // Old messages were overwritten: the older messages reach to the end of the file, and the newer ones start
        // directly after the header.
        return try offsets(from: header.oldest, to: UInt64(bytes.count)) + offsets(from: start, to: header.endOfNewest)
    }

    private func checkHeader() throws(InterchangeError) {
        let fileBytes = UInt64(bytes.count)
        let start = CacheAdvanceLayout.headerBytes
        guard fileBytes <= max(start, header.configuration.maximumBytes) else {
            throw InterchangeError(
                offset: UInt64(CacheAdvanceLayout.maximumBytesOffset),
                "the file has \(fileBytes) bytes, more than its maximum of \(header.configuration.maximumBytes)")
        }
        guard (start...fileBytes).contains(header.endOfNewest) else {
            throw InterchangeError(
                offset: UInt64(CacheAdvanceLayout.endOfNewestOffset),
                "the newest message ends at byte \(header.endOfNewest), "
                    + "but the messages of the file are between the bytes \(start) and \(fileBytes)")
        }
        guard (start...fileBytes).contains(header.oldest) else {
            throw InterchangeError(
                offset: UInt64(CacheAdvanceLayout.oldestOffset),
                "the oldest message starts at byte \(header.oldest), "
                    + "but the messages of the file are between the bytes \(start) and \(fileBytes)")
        }
        guard header.oldest == start || header.oldest > header.endOfNewest else {
            throw InterchangeError(
                offset: UInt64(CacheAdvanceLayout.oldestOffset),
                """
                the oldest message starts at byte \(header.oldest), but must start after byte \
                \(header.endOfNewest), where the newest messages end
                """)
        }
        guard header.oldest == start || header.configuration.overwritesOldest else {
            throw InterchangeError(
                offset: UInt64(CacheAdvanceLayout.oldestOffset),
                """
                the oldest message starts at byte \(header.oldest), but must start at byte \(start), because the file \
                never overwrites messages
                """)
        }
    }

    private func offsets(from start: UInt64, to end: UInt64) throws(InterchangeError) -> [UInt64] {
        var offsets: [UInt64] = []
        var offset = start
        while offset < end {
            guard CacheAdvanceLayout.lengthBytes <= end - offset else {
                throw InterchangeError(offset: offset, "a message's length is cut off after \(end - offset) bytes")
            }
            let length = BigEndian.number(bytes, at: Int(offset), count: Int(CacheAdvanceLayout.lengthBytes))
            guard length > 0 else { throw InterchangeError(offset: offset, "a message's length is 0") }
            let rest = end - offset - CacheAdvanceLayout.lengthBytes
            guard length <= rest else {
                throw InterchangeError(
                    offset: offset, "the length of a message is \(length), but only \(rest) bytes follow")
            }
            offsets.append(offset)
            offset += CacheAdvanceLayout.lengthBytes + length
        }
        return offsets
    }
}
