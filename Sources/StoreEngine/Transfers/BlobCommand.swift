package import StoreBasics
package import StoreCrypto

/// All requests about exports and imports, including archives and their restores.
package enum BlobCommand: Sendable {
    case beginExport(BlobExportRequest)
    /// Reads the part at `offset`, which is the end of the previous part.
    case readExport(BlobSessionID, offset: UInt64)
    case beginImport(BlobImportRequest)
    /// Writes the part at `offset`, which is the end of the previous part; at most `BlobLimits.pieceBytesMax` bytes.
    case writeImport(BlobSessionID, offset: UInt64, data: [UInt8])
    case finishImport(BlobSessionID)
    case archive(ArchiveRequest)
    /// Reads the part at `offset`, which is the end of the previous part.
    case archivePiece(BlobSessionID, offset: UInt64)
    case beginRestore(ArchiveRestoreRequest)
    /// Writes the part at `offset`, which is the end of the previous part; at most `BlobLimits.pieceBytesMax` bytes.
    case writeRestore(BlobSessionID, offset: UInt64, data: [UInt8])
    case finishRestore(BlobSessionID)
    /// Ends an archive or a restore, like `end`.
    case endArchive(BlobSessionID)
    /// Ends an export or import without completing it. Does nothing if it has already ended.
    case end(BlobSessionID)
}

extension BlobCommand {
    /// The export or import that the command continues or ends; `nil` for the commands that begin one.
    var session: BlobSessionID? {
        switch self {
        case .beginExport, .beginImport, .archive, .beginRestore: nil
        case .readExport(let id, _), .writeImport(let id, _, _), .finishImport(let id), .archivePiece(let id, _),
            .writeRestore(let id, _, _), .finishRestore(let id), .endArchive(let id), .end(let id):
            id
        }
    }

    /// True if the command gets an entry of its own in the audit log. Commands for single parts, and those that end a
    /// session early, do not.
    package var isAudited: Bool {
        switch self {
        case .beginExport, .beginImport, .finishImport, .archive, .beginRestore, .finishRestore: true
        case .readExport, .writeImport, .archivePiece, .writeRestore, .end, .endArchive: false
        }
    }

    /// True if the command counts as activity, which delays the automatic lock of the store. False for the commands
    /// that end a session.
    var isUseOfStore: Bool {
        switch self {
        case .beginExport, .readExport, .beginImport, .writeImport, .finishImport, .archive, .archivePiece,
            .beginRestore, .writeRestore, .finishRestore:
            true
        case .end, .endArchive: false
        }
    }
}

/// The result of a `BlobCommand`: a session that has begun, a part, or a report.
package enum BlobResult: Sendable {
    case exportBegun(BlobExportStart)
    case piece(BlobPiece)
    case importBegun(BlobSessionID)
    case importContinued(bytesReceived: UInt64)
    case importFinished(BlobImportReport)
    case archiveBegun(ArchiveStart)
    case archivePiece(BlobPiece)
    case restoreBegun(BlobSessionID)
    case restoreContinued(bytesReceived: UInt64)
    case restoreFinished(RestoreReport)
    case archiveEnded
    case ended
}

/// A request to export messages of one conversation, oldest first.
package struct BlobExportRequest: Sendable {
    package var conversation: ConversationReference
    package var filter: MessageFilter
    package var sealing: FileSeal

    package init(
        conversation: ConversationReference, filter: MessageFilter = MessageFilter(), sealing: FileSeal
    ) {
        self.conversation = conversation
        self.filter = filter
        self.sealing = sealing
    }
}

package struct BlobExportStart: Hashable, Sendable {
    package var session: BlobSessionID
    package var messageCount: Int
    /// The bytes of the whole file, including its seal.
    package var totalBytes: UInt64
}

/// A request to import a file, which follows in parts.
package struct BlobImportRequest: Sendable {
    /// The conversation for the messages. An unknown session id creates it. May be `nil` in a dry run.
    package var conversation: ConversationReference?
    /// The text from which the ids of the messages are derived, together with the conversation. If the same file is
    /// imported again with the same import id, its messages are updated and not duplicated. May be `nil` in a dry run.
    package var importID: String?
    /// True to read and check everything without changing anything.
    package var isDryRun: Bool
    /// The secret that opens a sealed file; `nil` for a file that is not sealed.
    package var secret: SlotSecretBox?
    /// The exact bytes of the whole file, including its seal; `nil` if they are not known.
    package var totalBytes: UInt64?

    package init(
        conversation: ConversationReference?, importID: String?, isDryRun: Bool, secret: SlotSecretBox?,
        totalBytes: UInt64?
    ) {
        self.conversation = conversation
        self.importID = importID
        self.isDryRun = isDryRun
        self.secret = secret
        self.totalBytes = totalBytes
    }
}

package struct BlobImportReport: Hashable, Sendable {
    package var isDryRun: Bool
    package var isSealed: Bool
    package var messageCount = 0
    /// The bytes of the message blob, without its seal.
    package var contentBytes: UInt64 = 0
    /// The number of new messages.
    package var createdCount = 0
    /// The number of existing messages that were changed.
    package var updatedCount = 0
    /// 64 hexadecimal digits that identify this content, and can serve as an import id.
    package var contentID = ""
    package var oldest: Timestamp?
    package var newest: Timestamp?
}
