public import StoreCrypto

/// Everything that can be asked of exports and imports.
public enum BlobCommand: Sendable {
    case beginExport(BlobExportRequest)
    /// The piece at `offset`, which is where the one before it ended.
    case readExport(BlobSessionID, offset: UInt64)
    case beginImport(BlobImportRequest)
    /// The piece at `offset`, which is where the one before it ended; at most `BlobLimits.pieceBytesMax` bytes.
    case writeImport(BlobSessionID, offset: UInt64, data: [UInt8])
    case finishImport(BlobSessionID)
    /// Ends an export or import before its time; nothing happens when it has ended already.
    case end(BlobSessionID)
}

extension BlobCommand {
    /// The export or import that the command goes on with; `nil` for one that begins.
    var session: BlobSessionID? {
        switch self {
        case .beginExport, .beginImport: nil
        case .readExport(let id, _), .writeImport(let id, _, _), .finishImport(let id), .end(let id): id
        }
    }
}

/// What a `BlobCommand` gives.
public enum BlobResult: Sendable {
    case exportBegun(BlobExportStart)
    case piece(BlobExportPiece)
    case importBegun(BlobSessionID)
    case importContinued(bytesReceived: UInt64)
    case importFinished(BlobImportReport)
    case ended
}

/// Names a running export or import. Random, so that none names another's by mistake.
public struct BlobSessionID: Hashable, Sendable {
    public let number: UInt64

    public init(number: UInt64) {
        self.number = number
    }
}

/// How an export is sealed.
public enum BlobSealing: Sendable {
    case none
    /// A passphrase. Low cost is for tests and needs the configuration's leave.
    case passphrase(SlotSecretBox, lowCost: Bool)
    /// The public half of an X25519 key pair, 32 bytes.
    case recipient(publicKey: [UInt8])
}

/// What to export: messages of one conversation, oldest first.
public struct BlobExportRequest: Sendable {
    /// Its limit, order and cursors mean nothing here.
    public var query: MessageQuery
    public var sealing: BlobSealing

    public init(query: MessageQuery, sealing: BlobSealing) {
        self.query = query
        self.sealing = sealing
    }
}

public struct BlobExportStart: Hashable, Sendable {
    public var session: BlobSessionID
    public var messageCount: Int
    /// Bytes of the whole file, sealed or not.
    public var bytes: UInt64
}

public struct BlobExportPiece: Hashable, Sendable {
    public var data: [UInt8]
    /// The file ends with this piece, and the export with it.
    public var isLast: Bool
}

/// What to do with the file that follows.
public struct BlobImportRequest: Sendable {
    /// Where the messages go; a session id that is not known yet creates its conversation.
    /// A dry run may leave it out.
    public var conversation: ConversationReference?
    /// Makes the ids of the messages, together with the conversation: the same file imported again under the same id
    /// writes the same messages and no second ones. May be left out of a dry run.
    public var importID: String?
    /// Read and check everything, change nothing.
    public var isDryRun: Bool
    /// Opens a sealed file; nil for one that is not sealed.
    public var secret: SlotSecretBox?
    /// Size of the whole file where it is known.
    public var fileBytes: UInt64?

    public init(
        conversation: ConversationReference?, importID: String?, isDryRun: Bool, secret: SlotSecretBox?,
        fileBytes: UInt64?
    ) {
        self.conversation = conversation
        self.importID = importID
        self.isDryRun = isDryRun
        self.secret = secret
        self.fileBytes = fileBytes
    }
}

public struct BlobImportReport: Hashable, Sendable {
    public var isDryRun: Bool
    public var isSealed: Bool
    public var messageCount = 0
    /// Bytes of the message blob, without what seals it.
    public var contentBytes: UInt64 = 0
    /// Messages that were not there.
    public var created = 0
    /// Messages that were there and have changed.
    public var updated = 0
    /// 64 hexadecimal digits that tell this content from every other: a good import id.
    public var contentID = ""
    public var oldest: Timestamp?
    public var newest: Timestamp?
}
