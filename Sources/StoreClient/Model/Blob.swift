/// Which messages of a conversation an export holds. Each condition that is set must hold.
public struct BlobFilter: Hashable, Sendable, Codable {
    /// At or after this time.
    public var from: Timestamp?
    /// Before this time.
    public var until: Timestamp?
    /// Only what this party sent.
    public var senderSessionID: String?
    /// True: only what this side sent; false: only what came in.
    public var isOutgoing: Bool?

    /// Without conditions: every message.
    public init(
        from: Timestamp? = nil, until: Timestamp? = nil, senderSessionID: String? = nil, isOutgoing: Bool? = nil
    ) {
        self.from = from
        self.until = until
        self.senderSessionID = senderSessionID
        self.isOutgoing = isOutgoing
    }
}

/// How an export is sealed.
public enum BlobSeal: ~Copyable, Sendable {
    /// Not at all: the file holds plain text.
    case none
    /// With a passphrase. Low cost is for tests and needs the daemon's leave.
    case passphrase(SecretInput, lowCost: Bool)
    /// For whoever has the secret half of this X25519 key: 32 bytes.
    case recipient(publicKey: [UInt8])
}

/// A running export or import. It ends with its last piece or report, its first error, after 30 seconds without use,
/// an hour after it began, and when the store is locked; an export also when it keeps the write-ahead log from being
/// emptied while 48 MiB are written to it.
public struct BlobSession: Hashable, Sendable {
    let number: UInt64
}

/// An export that has begun.
public struct BlobExport: Hashable, Sendable {
    /// What its pieces are read with.
    public var session: BlobSession
    /// Messages that the file holds.
    public var messageCount: Int
    /// Bytes of the whole file.
    public var totalBytes: UInt64
}

/// A piece of an export.
public struct BlobPiece: Hashable, Sendable {
    /// The bytes from the offset on that was asked for, at most `StoreClient.blobPieceBytesMax`.
    public var data: [UInt8]
    /// The file ends with this piece.
    public var isLast: Bool

    /// For tests and previews: the calls of a client make their own.
    public init(data: [UInt8], isLast: Bool = false) {
        self.data = data
        self.isLast = isLast
    }
}

/// What an import does with the file.
public struct BlobImportOptions: Hashable, Sendable {
    /// A session id that is not known yet creates its conversation. Only a dry run may leave it out.
    public var conversation: ConversationReference?
    /// 1 to 64 bytes; only a dry run may leave it out. The same import repeated under the same id writes no message
    /// twice; `BlobImportReport.contentID` of a dry run is a good one.
    public var importID: String?
    /// Read and check everything, change nothing.
    public var isDryRun: Bool
    /// Bytes of the whole file, sealed or not, where that is known: what cannot be right is then found at once, and a
    /// file that ends before is damaged, though it might have been whole without the rest.
    public var totalBytes: UInt64?

    /// Without a conversation and an import id: for a dry run.
    public init(
        conversation: ConversationReference? = nil, importID: String? = nil, isDryRun: Bool = false,
        totalBytes: UInt64? = nil
    ) {
        self.conversation = conversation
        self.importID = importID
        self.isDryRun = isDryRun
        self.totalBytes = totalBytes
    }
}

/// What an import found and did.
public struct BlobImportReport: Hashable, Sendable, Codable {
    /// Messages in the file.
    public var messageCount: Int
    /// Bytes of the message file, without what seals it.
    public var contentBytes: UInt64
    /// Messages that were not there.
    public var createdCount: Int
    /// Messages that were there and have changed.
    public var updatedCount: Int
    /// 64 hexadecimal digits that tell this content from every other.
    public var contentID: String
    /// Whether nothing was changed because nothing was to be.
    public var isDryRun: Bool
    /// Whether the file was sealed.
    public var isSealed: Bool
    /// The earliest timestamp of its messages; `nil` when it holds none.
    public var oldest: Timestamp?
    /// The latest timestamp of its messages; `nil` when it holds none.
    public var newest: Timestamp?

    /// For tests and previews: the calls of a client make their own.
    public init(
        messageCount: Int = 0, contentBytes: UInt64, createdCount: Int = 0, updatedCount: Int = 0, contentID: String,
        isDryRun: Bool = false, isSealed: Bool = false, oldest: Timestamp? = nil, newest: Timestamp? = nil
    ) {
        self.messageCount = messageCount
        self.contentBytes = contentBytes
        self.createdCount = createdCount
        self.updatedCount = updatedCount
        self.contentID = contentID
        self.isDryRun = isDryRun
        self.isSealed = isSealed
        self.oldest = oldest
        self.newest = newest
    }
}
