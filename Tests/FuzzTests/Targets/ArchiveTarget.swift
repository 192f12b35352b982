import StoreBasics

@testable import StoreEngine
@testable import StoreServer

/// Reads plain archives with all their records, as a restore does.
///
/// Promises: the split of the input into pieces makes no difference; no more bytes of a content are returned than its
/// record announces; an accepted record can be written and read again unchanged.
enum ArchiveTarget {
    static func run(_ input: [UInt8]) throws {
        let whole = try read(input, pieceBytes: max(1, input.count))
        let pieces = try read(input, pieceBytes: 7)
        try BrokenPromise.unless(whole == pieces, "pieces make no difference")
        if let records = whole {
            try BrokenPromise.unless(records > 0, "a whole archive has a header")
        }
        try rewrite(input)
    }

    /// Returns the number of items in the input, or `nil` if the input is damaged.
    private static func read(_ input: [UInt8], pieceBytes: Int) throws -> Int? {
        var reader = ArchiveStreamReader(ArchiveRecordCoding(), isWithoutDigest: true)
        var (count, bytesLeft) = (0, UInt64(0))
        do throws(StoreError) {
            for start in stride(from: 0, to: input.count, by: pieceBytes) {
                reader.feed(Array(input[start...].prefix(pieceBytes)))
                while let item = try reader.next() {
                    count += 1
                    switch item {
                    case .header: break
                    case .record(let record): bytesLeft = record.thing.bytesToCome
                    case .filePiece(let bytes, let isLast):
                        guard UInt64(bytes.count) <= bytesLeft, isLast == (UInt64(bytes.count) == bytesLeft) else {
                            return -1
                        }
                        bytesLeft -= UInt64(bytes.count)
                    }
                }
            }
            try reader.finish()
        } catch {
            return error.reason == .archiveDamaged ? nil : -1
        }
        return count
    }

    /// Decodes the bytes after the magic as one record, and encodes it again.
    private static func rewrite(_ input: [UInt8]) throws {
        let coding = ArchiveRecordCoding()
        guard let entry = try? coding.decode(input.dropFirst(ArchiveForm.magic.count + ArchiveForm.lengthBytes)) else {
            return
        }
        let again = try? coding.decode(coding.encode(entry)[...])
        try BrokenPromise.unless(again == entry, "what is written is read again as it was")
    }

    static func seeds() throws -> [[UInt8]] {
        let archives = try ["plain", "changes"].map {
            try ProjectFiles.bytes("proto-docs/vectors/archives/\($0).archive")
        }
        // Single records are so short that mutations reach every part of them.
        let records = archives.flatMap { archive in
            var (records, start) = ([[UInt8]](), ArchiveForm.magic.count)
            while start + ArchiveForm.lengthBytes <= archive.count {
                let length = archive[start..<(start + ArchiveForm.lengthBytes)].reduce(0) { $0 << 8 | Int($1) }
                let end = min(archive.count, start + ArchiveForm.lengthBytes + length)
                records.append(ArchiveForm.magic + archive[start..<end])
                start = end
            }
            return records.filter { $0.count < 1_000 }
        }
        return [archives[1]] + records
    }
}

extension RestoredThing {
    fileprivate var bytesToCome: UInt64 {
        switch self {
        case .file(let file, _): file.byteCount
        case .content(let content, _): content.byteCount
        default: 0
        }
    }
}
