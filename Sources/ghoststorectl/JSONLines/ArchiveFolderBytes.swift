import StoreClient

/// Produces the bytes of a plain archive, in pieces, from a folder of JSON Lines. Only one task uses it.
final class ArchiveFolderBytes {
    private struct Start {
        let offset: UInt64
        let line: UInt64
    }

    private let reader: ArchiveFolderReader
    private var writer = ArchiveRecordWriter()
    private var buffer: [UInt8] = []
    private var isAtEnd = false
    /// The number of bytes of the archive that were returned.
    private var offset: UInt64 = 0
    /// The starts of the records to which an error of the daemon may still refer, ascending. The first one is at or
    /// before the first byte of the piece that was returned last.
    private var starts: [Start] = []
    /// The header; `nil` until its line was read.
    private(set) var header: ArchiveHeader?

    init(_ path: String) throws(CommandFailure) {
        reader = try ArchiveFolderReader(path)
    }

    /// The counts of the records read so far, by kind.
    var counts: ArchiveCounts { writer.counts }

    /// - Parameter bytesMax: The largest number of bytes to return.
    /// - Returns: The next bytes; none at the end.
    /// - Throws: If a line is invalid or in the wrong position, or the footer is missing.
    func next(atMost bytesMax: Int) throws(CommandFailure) -> [UInt8] {
        let firstNeeded = starts.lastIndex { $0.offset <= offset } ?? 0
        starts.removeFirst(firstNeeded)
        while buffer.count < bytesMax, !isAtEnd {
            try append()
        }
        let piece = Array(buffer.prefix(bytesMax))
        buffer.removeFirst(piece.count)
        offset += UInt64(piece.count)
        return piece
    }

    private func append() throws(CommandFailure) {
        guard let record = try reader.next() else {
            guard writer.hasEnded else {
                throw reader.failure(
                    "the footer is missing: the archive is not complete", atLine: reader.lineNumber + 1)
            }
            isAtEnd = true
            return
        }
        header = header ?? record.header
        if let counts = record.counts {
            try checkFooter(counts)
        }
        starts.append(Start(offset: writer.offset, line: reader.lineNumber))
        do throws(StoreClientError) {
            buffer += try writer.bytes(of: record)
        } catch {
            throw reader.failure(error.message, atLine: reader.lineNumber)
        }
    }

    private func checkFooter(_ declared: ArchiveCounts) throws(CommandFailure) {
        for (declared, found) in zip(declared.named, counts.named) where declared.count != found.count {
            throw reader.failure(
                "the footer says \(declared.count) \(declared.name), but there are \(found.count)",
                atLine: reader.lineNumber)
        }
    }

    /// Returns the daemon's message about damage, with the number of the line instead of the byte.
    func failure(of error: StoreClientError) -> CommandFailure {
        let failure = FailureMapping.failure(of: error)
        guard error.reason == .archiveDamaged,
            let found = error.message.firstMatch(of: /^(?:[^:]*: )?(.*) \(byte (\d+)\)$/),
            let byte = UInt64(found.2), let start = starts.last(where: { $0.offset <= byte })
        else { return failure }
        return failure.saying { _ in reader.failure(String(found.1), atLine: start.line).message }
    }
}
