import ReplicaModel
import StoreBasics

/// The content of a path, as a record has it, with the stamp of the content that the change replaced. The stamp shows
/// whether two devices have changed one file without knowing of each other. A record without a value removes the file
/// too, whatever is there.
struct ReplicaFileValue: Hashable {
    enum Content: Hashable {
        case directory
        /// One that is kept in the database.
        case bytes(FileTimes, [UInt8])
        /// Its bytes travel by themselves.
        case listed(FileTimes, AttachmentDigest, byteCount: UInt64)
        /// Nothing: it was removed.
        case removed
    }

    struct FileTimes: Hashable {
        var createdAt: Timestamp
        var modifiedAt: Timestamp
    }

    var basis: ReplicaStamp
    var content: Content
    private(set) var unknownFields: [UInt8] = []

    private enum Number {
        static let basis: UInt32 = 1
        static let directory: UInt32 = 2
        static let file: UInt32 = 3
        static let bytes: UInt32 = 4
        static let digest: UInt32 = 5
    }

    init(basis: ReplicaStamp, _ content: Content) {
        self.basis = basis
        self.content = content
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        if basis != .zero {
            var stamp: [UInt8] = []
            basis.append(to: &stamp)
            bytes.append(field: Number.basis, stamp)
        }
        return bytes + Self.bytes(of: content)
    }

    /// Returns a digest that is equal for equal contents: what the change took the place of does not count, nor what a
    /// later version says of the file.
    static func digest(of content: Content) -> ValueDigest {
        content == .removed ? .none : ValueDigest(of: bytes(of: content))
    }

    /// The same of a value's bytes.
    static func digest(of bytes: [UInt8]) -> ValueDigest {
        guard let value = try? ReplicaFileValue(bytes) else { return .none }
        return digest(of: value.content)
    }

    private static func bytes(of content: Content) -> [UInt8] {
        var bytes: [UInt8] = []
        switch content {
        case .directory: bytes.append(field: Number.directory, present: [UInt8]())
        case .bytes(let times, let held):
            bytes.append(field: Number.file, present: file(times, byteCount: UInt64(held.count)))
            bytes.append(field: Number.bytes, held)
        case .listed(let times, let digest, let byteCount):
            bytes.append(field: Number.file, present: file(times, byteCount: byteCount))
            bytes.append(field: Number.digest, digest.bytes)
        case .removed: break
        }
        return bytes
    }

    /// An `ArchivedFile` of archives.proto without the path.
    private static func file(_ times: FileTimes, byteCount: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: FileNumber.byteCount, byteCount)
        bytes.append(field: FileNumber.createdAt, signed: times.createdAt.microseconds)
        bytes.append(field: FileNumber.modifiedAt, signed: times.modifiedAt.microseconds)
        return bytes
    }

    private enum FileNumber {
        static let byteCount: UInt32 = 2
        static let createdAt: UInt32 = 3
        static let modifiedAt: UInt32 = 4
    }

    /// - Throws: `.invalidArgument` for what no store can have written.
    init(_ bytes: [UInt8]) throws(StoreError) {
        self = try bytes.parsedFields { fields in
            var basis = ReplicaStamp.zero
            var isDirectory = false
            var file: (times: FileTimes, byteCount: UInt64)?
            var (held, digest): ([UInt8], [UInt8]?) = ([], nil)
            while let field = try fields.next() {
                switch field.number {
                case Number.basis: basis = try field.stamp()
                case Number.directory: isDirectory = true
                case Number.file: file = try Self.file(field.bytes())
                case Number.bytes: held = try field.bytes()
                case Number.digest: digest = try field.bytes()
                default: fields.keep(field)
                }
            }
            var value = ReplicaFileValue(
                basis: basis, try Self.content(isDirectory: isDirectory, file, held, digest: digest))
            value.unknownFields = fields.unknown
            return value
        }
    }

    private static func file(_ bytes: [UInt8]) throws(StoreError) -> (times: FileTimes, byteCount: UInt64) {
        try bytes.parsedFields { fields in
            let start = Timestamp(microseconds: 0)
            var file = (times: FileTimes(createdAt: start, modifiedAt: start), byteCount: UInt64(0))
            while let field = try fields.next() {
                switch field.number {
                case FileNumber.byteCount: file.byteCount = try field.unsigned()
                case FileNumber.createdAt: file.times.createdAt = try field.timestamp()
                case FileNumber.modifiedAt: file.times.modifiedAt = try field.timestamp()
                default: break
                }
            }
            return file
        }
    }

    private static func content(
        isDirectory: Bool, _ file: (times: FileTimes, byteCount: UInt64)?, _ held: [UInt8], digest: [UInt8]?
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

    /// What is remembered of a file that was there before the store had a group: its bytes were read by nobody.
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
