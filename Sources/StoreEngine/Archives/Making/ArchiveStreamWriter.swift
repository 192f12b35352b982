import StoreCrypto

/// The form of an archive inside its seal: a magic text, then records with their lengths.
enum ArchiveForm {
    static let magic = Array("ghost-archive 1\n".utf8)
    /// The bytes of a record's length, which is big-endian.
    static let lengthBytes = 4
}

/// Writes the bytes of an archive, before they are sealed.
struct ArchiveStreamWriter: ~Copyable {
    private let coding: any ArchiveCoding
    private var digest = ContentDigest()
    private(set) var counts = ArchiveCounts()

    /// - Parameter bytes: Receives the start of the archive: the magic text and the header.
    init(_ header: ArchiveHeader, _ coding: any ArchiveCoding, to bytes: inout [UInt8]) {
        self.coding = coding
        let start = ArchiveForm.magic
        digest.update(start)
        bytes += start
        append(ArchiveEntry(.header(header)), to: &bytes)
    }

    /// Appends a record.
    ///
    /// - Parameter entry: Any record except the header and the footer.
    mutating func append(_ entry: ArchiveEntry, to bytes: inout [UInt8]) {
        let framed = Self.framed(coding.encode(entry))
        digest.update(framed)
        if let kind = entry.record.kind {
            counts[kind] += 1
        }
        bytes += framed
    }

    consuming func finish(to bytes: inout [UInt8]) {
        let (counts, coding) = (counts, coding)
        let footer = ArchiveFooter(counts: counts, digest: finishDigest())
        bytes += Self.framed(coding.encode(ArchiveEntry(.footer(footer))))
    }

    private consuming func finishDigest() -> [UInt8] {
        digest.finish()
    }

    private static func framed(_ record: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(record.count).bigEndian) { Array($0) } + record
    }
}
