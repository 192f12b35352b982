import Glibc

/// The records in the journal of a daemon. Everything except their content can be read without a key
/// (proto-docs/JOURNAL.md).
struct JournalRecords {
    private struct Record {
        let number: UInt64
        let contentBytes: Int
    }

    private static let magic = Array("ghoststore-jrnl\n".utf8)
    private static let firstOffset = 4_096
    private static let headBytes = 56
    private static let tagBytes = 16

    /// The records of the segments that still exist.
    private var records: [Record] = []
    /// The number of the last record, or 0 without records.
    private(set) var last: UInt64 = 0

    /// - Parameter folder: the journal of a daemon that is idle.
    init(inFolder folder: String) throws(BenchError) {
        for slot in 0..<64 {
            guard let bytes = try? TextFile.readBytes(folder + "/\(slot)"), bytes.starts(with: Self.magic) else {
                continue
            }
            bytes.withUnsafeBytes { add(segment: $0) }
        }
    }

    /// Returns the content sizes of the records after `number`.
    func contentBytes(after number: UInt64) -> [Double] {
        records.filter { $0.number > number }.map { Double($0.contentBytes) }
    }

    private mutating func add(segment: UnsafeRawBufferPointer) {
        guard segment.count > Self.firstOffset else { return }
        func integer<Number: FixedWidthInteger>(_ place: Int, _: Number.Type) -> Number {
            Number(bigEndian: segment.loadUnaligned(fromByteOffset: place, as: Number.self))
        }
        // The last record number of the previous segment.
        var number = integer(48, UInt64.self)
        defer { last = max(last, number) }
        var offset = Self.firstOffset
        while offset + Self.headBytes + Self.tagBytes <= segment.count {
            let contentBytes = Int(integer(offset, UInt32.self))
            // If the bytes at this position are not the next record, they are the mark after the last record, or are
            // left from an earlier use of the file.
            guard integer(offset + 4, UInt32.self) == 1, integer(offset + 8, UInt64.self) == number + 1 else { return }
            number += 1
            records.append(Record(number: number, contentBytes: contentBytes))
            offset += (contentBytes + Self.headBytes + Self.tagBytes + 7) & ~7
        }
    }
}
