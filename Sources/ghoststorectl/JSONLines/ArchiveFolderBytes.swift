import StoreClient

/// The bytes of the plain archive that a folder of JSON Lines is, in pieces. Used from one task.
final class ArchiveFolderBytes {
    private struct Start {
        let offset: UInt64
        let line: UInt64
    }

    private let reader: ArchiveFolderReader
    private var writer = ArchiveRecordWriter()
    private var buffer: [UInt8] = []
    private var isAtEnd = false
    /// Bytes of the archive that were given out.
    private var offset: UInt64 = 0
    /// Where records begin that the daemon may yet tell of, the first of them before what was given out last.
    private var starts: [Start] = []
    /// Known once its line was read.
    private(set) var header: ArchiveHeader?

    init(_ path: String) throws(CommandFailure) {
        reader = try ArchiveFolderReader(path)
    }

    /// What was read of each kind.
    var counts: ArchiveCounts { writer.counts }

    /// - Returns: at most so many bytes; none at the end.
    /// - Throws: where a line is wrong, stands where it cannot, or the footer is missing.
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

    /// The daemon's words of damage, with the line instead of the byte.
    func failure(of error: StoreClientError) -> CommandFailure {
        let failure = FailureMapping.failure(of: error)
        guard error.reason == .archiveDamaged,
            let found = error.message.firstMatch(of: /^(?:[^:]*: )?(.*) \(byte (\d+)\)$/),
            let byte = UInt64(found.2), let start = starts.last(where: { $0.offset <= byte })
        else { return failure }
        return failure.saying { _ in reader.failure(String(found.1), atLine: start.line).message }
    }
}
