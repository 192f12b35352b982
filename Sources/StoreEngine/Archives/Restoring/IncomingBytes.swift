import StoreBasics
import StoreCrypto

/// A file, or a content of attachments, whose bytes arrive from an archive. Used by one thread only.
final class IncomingBytes {
    enum Owner {
        case file(ArchivedFile)
        case content(ArchivedContent)

        var byteCount: UInt64 {
            switch self {
            case .file(let file): file.byteCount
            case .content(let content): content.byteCount
            }
        }

        /// - Parameter bytes: `nil` to only determine the outcome.
        func thing(_ bytes: RestoredBytes?) -> RestoredThing {
            switch self {
            case .file(let file): .file(file, bytes)
            case .content(let content): .content(content, bytes)
            }
        }

        fileprivate var goal: FileWriteGoal {
            switch self {
            case .file(let file):
                .file(FileWriteRequest(path: file.path, place: .whole, byteCount: file.byteCount))
            case .content(let content):
                .attachment(AttachmentWriteRequest(byteCount: content.byteCount, digest: content.digest))
            }
        }
    }

    /// The record to restore, without its bytes.
    let record: RestoredRecord
    let owner: Owner
    private var bytes: [UInt8] = []
    private var write: FileWrite?
    private var release: (() -> Void)?

    /// Creates a small content, which the database will contain.
    init(_ owner: Owner, _ record: RestoredRecord) {
        self.owner = owner
        self.record = record
    }

    /// Creates a large content, which gets a file in the vault.
    ///
    /// - Parameter hold: Protects the file, to which no row refers yet, from being erased until the returned function
    ///   is called.
    init(
        _ owner: Owner, _ record: RestoredRecord, in folder: VaultFolder, holding hold: @escaping ContentHold
    ) throws(StoreError) {
        self.owner = owner
        self.record = record
        write = try FileWrite(owner.goal, over: .nothing, folder) { [unowned self] (id) throws(StoreError) in
            release = try hold(id)
        }
    }

    func append(_ piece: [UInt8]) throws(StoreError) {
        if let write {
            _ = try write.write(piece, at: write.bytesReceived)
        } else {
            bytes += piece
        }
    }

    func finish() throws(StoreError) -> RestoredBytes {
        guard let write else { return .database(bytes) }
        while true {
            guard let completion = try write.finishStep() else { continue }
            switch completion.content {
            case .database(let bytes): return .database(bytes)
            case .new(let content): return .vault(content)
            case .unchanged, .rewritten: throw .fault("the restored content belongs to another file")
            }
        }
    }

    /// Ends the protection of the file, because a row now refers to it.
    func keep() {
        write = nil
        release?()
        release = nil
    }

    /// Ends the write, and deletes the file unless `keep` was called.
    func abandon() {
        write?.abandon()
        write = nil
        release?()
        release = nil
    }
}
