/// Which messages of a conversation an export holds. Each condition that is set must hold.
public struct BlobFilter: Hashable, Sendable {
    /// At or after this time.
    public var from: Timestamp?
    /// Before this time.
    public var until: Timestamp?
    public var senderSessionID: String?
    public var isOutgoing: Bool?

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
/// an hour after it began, and when the store is locked.
public struct BlobSession: Hashable, Sendable {
    let number: UInt64
}

public struct BlobExport: Hashable, Sendable {
    public var session: BlobSession
    public var messageCount: UInt64
    /// Bytes of the whole file.
    public var totalBytes: UInt64
}

public struct BlobPiece: Hashable, Sendable {
    public var data: [UInt8]
    /// The file ends with this piece.
    public var isLast: Bool
}

/// What an import is to do.
public struct BlobImportOptions: Hashable, Sendable {
    /// A session id that is not known yet creates its conversation. Only a dry run may leave it out.
    public var conversation: ConversationReference?
    /// 1 to 64 bytes; only a dry run may leave it out. The same import repeated under the same id writes no message
    /// twice; `BlobImportReport.contentID` of a dry run is a good one.
    public var importID: String?
    /// Read and check everything, change nothing.
    public var isDryRun: Bool
    /// Size of the whole file where it is known: what cannot be right is then found at once.
    public var totalBytes: UInt64?

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

public struct BlobImportReport: Hashable, Sendable {
    public var messageCount: UInt64
    /// Bytes of the message file, without what seals it.
    public var contentBytes: UInt64
    /// Messages that were not there.
    public var created: UInt64
    /// Messages that were there and have changed.
    public var updated: UInt64
    /// 64 hexadecimal digits that tell this content from every other.
    public var contentID: String
    public var isDryRun: Bool
    public var isSealed: Bool
    public var oldest: Timestamp?
    public var newest: Timestamp?
}
