import Interchange
import StoreClient

/// The facts about a plain archive, or a folder of JSON Lines, that can be read without a daemon.
struct ArchiveFacts: Presentable {
    private let form: String
    private let header: ArchiveHeader
    private let counts: ArchiveCounts
    private let contentBytes: UInt64
    /// The identifier in the footer, which this program does not verify. Empty if the footer has no identifier.
    private let contentID: String

    /// Reads a whole plain archive; `first` is the part that was already read.
    ///
    /// - Throws: `.archiveDamaged`, whose message says at which byte the archive is damaged.
    init(_ first: [UInt8], restOf file: borrowing InputFile) throws {
        var reader = ArchiveRecordReader()
        var header: ArchiveHeader?
        var digest = ""
        var piece = first
        while !piece.isEmpty {
            reader.feed(piece)
            while let record = try reader.next() {
                header = header ?? record.header
                if record.kind == .footer {
                    digest = record.digest ?? ""
                }
            }
            piece = try file.readChunk(bytes: StoreClient.archivePieceBytesMax)
        }
        try reader.finish()
        guard let header else { throw CommandFailure(.damaged, "\(file.name) has no header") }
        form = "plain"
        self.header = header
        counts = reader.counts
        contentBytes = reader.offset
        contentID = digest
    }

    /// Reads all records of the archive in a folder, and counts them.
    init(folder path: String) throws(CommandFailure) {
        let source = try ArchiveFolderBytes(path)
        var bytes: UInt64 = 0
        while true {
            let piece = try source.next(atMost: StoreClient.archivePieceBytesMax)
            guard !piece.isEmpty else { break }
            bytes += UInt64(piece.count)
        }
        guard let header = source.header else { throw CommandFailure(.damaged, "\(path) has no header") }
        form = "json_lines"
        self.header = header
        counts = source.counts
        contentBytes = bytes
        contentID = ""
    }

    var json: JSONObject {
        [
            "form": form, "is_sealed": false, "format_version": header.formatVersion,
            "history_id": header.historyID.description, "revision": header.revision,
            "since_revision": header.sinceRevision, "created_at_microseconds": header.createdAt,
            "content_bytes": contentBytes, "content_id": contentID.isEmpty ? nil : contentID, "counts": counts.json,
        ]
    }

    var fields: FieldList {
        var list: FieldList = [
            "form": form == "plain" ? "plain archive" : "JSON Lines", "version": UInt64(header.formatVersion),
            "sealed": false, "made": header.createdAt, "history": header.historyID.description,
            "revision": header.revision, "changes since": header.sinceRevision.map { "revision \($0)" },
            "size": Quantity.bytes(contentBytes), "content id": contentID.isEmpty ? nil : contentID,
        ]
        for (name, count) in counts.named where count > 0 {
            list.add(name, count)
        }
        return list
    }
}

/// The facts about a sealed archive that can be read without its secret.
struct SealedArchiveFacts: Presentable {
    let header: SealedFileHeader

    var json: JSONObject {
        var object = JSONObject()
        object.add("form", "sealed")
        SealedFileFacts(header: header).add(to: &object)
        return object
    }

    var fields: FieldList {
        var list = SealedFileFacts(header: header).fields
        list.add("holds", "sealed; 'ghoststorectl archive verify' opens it and counts the content")
        return list
    }
}
