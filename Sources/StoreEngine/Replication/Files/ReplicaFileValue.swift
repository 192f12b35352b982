import ReplicaModel
import StoreBasics

/// What is at a path, as a record tells it. A stamp comes first: that of what the change took the place of, so that it
/// shows whether two devices have changed one file without knowing of each other. A record without a value removes a
/// file, too, whatever is there.
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

    init(basis: ReplicaStamp, _ content: Content) {
        self.basis = basis
        self.content = content
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        basis.append(to: &bytes)
        return bytes + Self.bytes(of: content)
    }

    /// Without what it took the place of: of equal values they are equal.
    static func digest(of content: Content) -> ValueDigest {
        content == .removed ? .none : ValueDigest(of: bytes(of: content))
    }

    /// The same of a value's bytes.
    static func digest(of bytes: [UInt8]) -> ValueDigest {
        let content = Array(bytes.dropFirst(ReplicaStamp.byteCount))
        return content == Self.bytes(of: .removed) ? .none : ValueDigest(of: content)
    }

    private static func bytes(of content: Content) -> [UInt8] {
        var bytes: [UInt8] = []
        switch content {
        case .directory: bytes.append(1)
        case .bytes(let times, let held):
            bytes.append(2)
            bytes.append(times)
            bytes += held
        case .listed(let times, let digest, let byteCount):
            bytes.append(3)
            bytes.append(times)
            bytes.append(leb128: byteCount)
            bytes += digest.bytes
        case .removed: bytes.append(4)
        }
        return bytes
    }

    /// - Throws: `.invalidArgument` for what no store can have written.
    init(_ bytes: [UInt8]) throws(StoreError) {
        self = try bytes.parsed { (reader) throws(StoreError) in
            guard let basis = ReplicaStamp(&reader), let kind = reader.byte() else { return nil }
            switch kind {
            case 1: return ReplicaFileValue(basis: basis, .directory)
            case 2:
                guard let times = reader.fileTimes(), reader.remaining <= EngineLimits.inlineFileBytesMax,
                    let held = reader.bytes(reader.remaining)
                else { return nil }
                return ReplicaFileValue(basis: basis, .bytes(times, [UInt8](held)))
            case 3:
                guard let times = reader.fileTimes(), let byteCount = reader.leb128(),
                    byteCount > UInt64(EngineLimits.inlineFileBytesMax), byteCount <= EngineLimits.fileBytesMax,
                    let digest = reader.bytes(AttachmentDigest.byteCount)
                else { return nil }
                return ReplicaFileValue(
                    basis: basis, .listed(times, AttachmentDigest(trusted: [UInt8](digest)), byteCount: byteCount))
            case 4: return ReplicaFileValue(basis: basis, .removed)
            default: return nil
            }
        }
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

extension ByteReader {
    fileprivate mutating func fileTimes() -> ReplicaFileValue.FileTimes? {
        guard let createdAt = bigEndianTime(), let modifiedAt = bigEndianTime() else { return nil }
        return ReplicaFileValue.FileTimes(createdAt: createdAt, modifiedAt: modifiedAt)
    }
}
