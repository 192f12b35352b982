package import StoreBasics
package import StoreCrypto

/// Everything that can be asked of exports and imports, archives and their restores among them.
package enum BlobCommand: Sendable {
    case beginExport(BlobExportRequest)
    /// The piece at `offset`, which is where the one before it ended.
    case readExport(BlobSessionID, offset: UInt64)
    case beginImport(BlobImportRequest)
    /// The piece at `offset`, which is where the one before it ended; at most `BlobLimits.pieceBytesMax` bytes.
    case writeImport(BlobSessionID, offset: UInt64, data: [UInt8])
    case finishImport(BlobSessionID)
    case archive(ArchiveRequest)
    /// The piece at `offset`, which is where the one before it ended.
    case archivePiece(BlobSessionID, offset: UInt64)
    case beginRestore(ArchiveRestoreRequest)
    /// The piece at `offset`, which is where the one before it ended; at most `BlobLimits.pieceBytesMax` bytes.
    case writeRestore(BlobSessionID, offset: UInt64, data: [UInt8])
    case finishRestore(BlobSessionID)
    /// As `end`, of an archive or a restore.
    case endArchive(BlobSessionID)
    /// Ends an export or import before its time; nothing happens when it has ended already.
    case end(BlobSessionID)
}

extension BlobCommand {
    /// The export or import that the command goes on with; `nil` for one that begins.
    var session: BlobSessionID? {
        switch self {
        case .beginExport, .beginImport, .archive, .beginRestore: nil
        case .readExport(let id, _), .writeImport(let id, _, _), .finishImport(let id), .archivePiece(let id, _),
            .writeRestore(let id, _, _), .finishRestore(let id), .endArchive(let id), .end(let id):
            id
        }
    }

    /// Worth a note of its own, and not only a piece of something.
    package var isAudited: Bool {
        switch self {
        case .beginExport, .beginImport, .finishImport, .archive, .beginRestore, .finishRestore: true
        case .readExport, .writeImport, .archivePiece, .writeRestore, .end, .endArchive: false
        }
    }

    /// Ending what may not even be there keeps no store from being locked.
    var isUseOfStore: Bool {
        switch self {
        case .beginExport, .readExport, .beginImport, .writeImport, .finishImport, .archive, .archivePiece,
            .beginRestore, .writeRestore, .finishRestore:
            true
        case .end, .endArchive: false
        }
    }
}

/// What a `BlobCommand` gives.
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

/// What to export: messages of one conversation, oldest first.
package struct BlobExportRequest: Sendable {
    /// Its limit, order and cursors mean nothing here.
    package var query: MessageQuery
    package var sealing: FileSeal

    package init(query: MessageQuery, sealing: FileSeal) {
        self.query = query
        self.sealing = sealing
    }
}

package struct BlobExportStart: Hashable, Sendable {
    package var session: BlobSessionID
    package var messageCount: Int
    /// Bytes of the whole file, sealed or not.
    package var totalBytes: UInt64
}

/// What to do with the file that follows.
package struct BlobImportRequest: Sendable {
    /// Where the messages go; a session id that is not known yet creates its conversation.
    /// A dry run may leave it out.
    package var conversation: ConversationReference?
    /// Makes the ids of the messages, together with the conversation: the same file imported again under the same id
    /// writes the same messages and no second ones. May be left out of a dry run.
    package var importID: String?
    /// Read and check everything, change nothing.
    package var isDryRun: Bool
    /// Opens a sealed file; `nil` for one that is not sealed.
    package var secret: SlotSecretBox?
    /// Bytes of the whole file, sealed or not, where that is known: neither more nor fewer may come.
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
    /// Bytes of the message blob, without what seals it.
    package var contentBytes: UInt64 = 0
    /// Messages that were not there.
    package var createdCount = 0
    /// Messages that were there and have changed.
    package var updatedCount = 0
    /// 64 hexadecimal digits that tell this content from every other: a good import id.
    package var contentID = ""
    package var oldest: Timestamp?
    package var newest: Timestamp?
}
