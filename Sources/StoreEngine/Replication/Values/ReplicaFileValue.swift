import ReplicaModel
import StoreBasics

/// The content of a path in a record, with the stamp of the content that the change replaced. The stamp shows whether
/// two devices changed one file independently. A record without a value removes whatever is at the path.
struct ReplicaFileValue: Hashable {
    enum Content: Hashable {
        case directory
        /// A small file, stored in the database.
        case bytes(FileTimes, [UInt8])
        /// A large file. Its bytes are published separately.
        case listed(FileTimes, AttachmentDigest, byteCount: UInt64)
        /// The path was removed.
        case removed
    }

    struct FileTimes: Hashable {
        var createdAt: Timestamp
        var modifiedAt: Timestamp
    }

    var basis: ReplicaStamp
    var content: Content
    private(set) var unknownFields: [UInt8] = []

    init(basis: ReplicaStamp, _ content: Content) {
        self.basis = basis
        self.content = content
    }

    var bytes: [UInt8] { Fields(content, basis: basis).encoded() }

    /// Returns a digest that is equal for equal contents. Neither the basis nor fields of a later version count.
    static func digest(of content: Content) -> ValueDigest {
        content == .removed ? .none : ValueDigest(of: bytes(of: content))
    }

    /// Returns the digest of the content in an encoded value.
    static func digest(of bytes: [UInt8]) -> ValueDigest {
        guard let value = try? ReplicaFileValue(bytes) else { return .none }
        return digest(of: value.content)
    }

    private static func bytes(of content: Content) -> [UInt8] { Fields(content).encoded() }

    /// - Throws: `.invalidArgument` for a value that no store can have written.
    init(_ bytes: [UInt8]) throws(StoreError) {
        var fields = Fields()
        unknownFields = try fields.read(body: bytes)
        basis = fields.basis
        do throws(ProtobufFault) {
            content = try Self.content(
                isDirectory: fields.directory != nil, fields.file, fields.bytes, digest: fields.digest)
        } catch {
            throw [UInt8].unreadable
        }
    }

    private struct Fields: FieldMessage {
        var basis = ReplicaStamp.zero
        /// An empty array for a directory, otherwise `nil`.
        var directory: [UInt8]?
        var file: FileFields?
        var bytes: [UInt8] = []
        var digest: [UInt8]?

        init() {}

        init(_ content: Content, basis: ReplicaStamp = .zero) {
            self.basis = basis
            switch content {
            case .directory: directory = []
            case .bytes(let times, let held):
                file = FileFields(times: times, byteCount: UInt64(held.count))
                bytes = held
            case .listed(let times, let digest, let byteCount):
                file = FileFields(times: times, byteCount: byteCount)
                self.digest = digest.bytes
            case .removed: break
            }
        }

        mutating func describe(_ form: inout MessageForm) throws {
            try form.field(1, &basis)
            try form.field(2, &directory)
            try form.field(3, &file)
            try form.field(4, &bytes)
            try form.field(5, &digest)
        }
    }

    /// The fields of an `ArchivedFile` of archives.proto, except the path.
    private struct FileFields: FieldMessage {
        var times = FileTimes(createdAt: Timestamp(microseconds: 0), modifiedAt: Timestamp(microseconds: 0))
        var byteCount: UInt64 = 0

        mutating func describe(_ form: inout MessageForm) throws {
            try form.field(2, &byteCount)
            try form.field(3, &times.createdAt)
            try form.field(4, &times.modifiedAt)
        }
    }

    private static func content(
        isDirectory: Bool, _ file: FileFields?, _ held: [UInt8], digest: [UInt8]?
    ) throws(ProtobufFault) -> Content {
        guard let file else {
            guard held.isEmpty, digest == nil else { throw ProtobufFault() }
            return isDirectory ? .directory : .removed
        }
        guard !isDirectory, file.byteCount <= EngineLimits.fileBytesMax else { throw ProtobufFault() }
        guard let digest else {
            guard held.count <= EngineLimits.inlineFileBytesMax, file.byteCount == UInt64(held.count) else {
                throw ProtobufFault()
            }
            return .bytes(file.times, held)
        }
        guard held.isEmpty, digest.count == AttachmentDigest.byteCount,
            file.byteCount > UInt64(EngineLimits.inlineFileBytesMax)
        else { throw ProtobufFault() }
        return .listed(file.times, AttachmentDigest(trusted: digest), byteCount: file.byteCount)
    }

    /// Returns what the store remembers of a file that existed before the store joined a group. The bytes of the file
    /// are not read for this.
    static func unread(_ row: FileRow) -> [UInt8] {
        guard case .file(_, let byteCount) = row.kind else { return bytes(of: .directory) }
        var bytes: [UInt8] = [0]
        bytes.append(row.replicaTimes)
        bytes.append(leb128: byteCount)
        return bytes
    }
}

extension FileRow {
    var replicaTimes: ReplicaFileValue.FileTimes {
        ReplicaFileValue.FileTimes(createdAt: createdAt, modifiedAt: modifiedAt)
    }
}

extension ReplicaFileValue.Content {
    var times: ReplicaFileValue.FileTimes? {
        switch self {
        case .directory, .removed: nil
        case .bytes(let times, _), .listed(let times, _, _): times
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ times: ReplicaFileValue.FileTimes) {
        append(time: times.createdAt)
        append(time: times.modifiedAt)
    }
}
