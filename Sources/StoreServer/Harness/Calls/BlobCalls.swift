import FoundationEssentials
import StoreBasics
import StoreCrypto
import StoreEngine
import StoreProtocol
import SwiftProtobuf

enum BlobCalls {
    static let beginBlobExport = CallRule(.exportBlobs, .read, names: .itself) {
        (request: WireBeginBlobExportRequest, secrets) throws(RequestFailure) in
        var query = MessageQuery(
            conversation: try ConversationReference(request.conversation.reference),
            order: .oldestFirst)
        query.filter.from = request.hasFromMicroseconds ? Timestamp(microseconds: request.fromMicroseconds) : nil
        query.filter.until = request.hasUntilMicroseconds ? Timestamp(microseconds: request.untilMicroseconds) : nil
        query.filter.senderSessionID = request.hasSenderSessionID ? request.senderSessionID : nil
        query.filter.isOutgoing = request.hasIsOutgoing ? request.isOutgoing : nil
        return .blob(.beginExport(BlobExportRequest(query: query, sealing: try sealing(request, secrets))))
    }

    static let readBlobExport = CallRule(.continueExport, .read) {
        (request: WireReadBlobExportRequest, _) throws(RequestFailure) in
        .blob(.readExport(BlobSessionID(number: request.session), offset: request.offset))
    }

    static let beginBlobImport = CallRule(.importBlobs, .read, names: .itself) {
        (request: WireBeginBlobImportRequest, secrets) throws(RequestFailure) in
        let secret = try secrets.takeSecret(kind: request.secret.kind)
        guard secret != nil || !request.hasSecret else { throw .invalidArgument("secret.value is empty") }
        return .blob(
            .beginImport(
                BlobImportRequest(
                    conversation: request.hasConversation
                        ? try ConversationReference(request.conversation.reference) : nil,
                    importID: request.importID.ifGiven, isDryRun: request.dryRun, secret: secret,
                    totalBytes: request.hasTotalBytes ? request.totalBytes : nil)))
    }

    static let writeBlobImport = CallRule(
        .continueImport, .read, bytesMax: BlobLimits.pieceBytesMax + CallLimits.smallCallBytesMax
    ) { (request: WireWriteBlobImportRequest, _) throws(RequestFailure) in
        .blob(
            .writeImport(
                BlobSessionID(number: request.session), offset: request.offset, data: Array(request.data)))
    }

    static let finishBlobImport = CallRule(.continueImport, .read) {
        (request: WireFinishBlobImportRequest, _) throws(RequestFailure) in
        .blob(.finishImport(BlobSessionID(number: request.session)))
    }

    static let endBlobSession = CallRule(.none, .read) {
        (request: WireEndBlobSessionRequest, _) throws(RequestFailure) in
        .blob(.end(BlobSessionID(number: request.session)))
    }

    private static func sealing(
        _ wire: WireBeginBlobExportRequest, _ secrets: RequestSecrets
    ) throws(RequestFailure) -> FileSeal {
        let passphrase = try secrets.takeSecret(kind: wire.passphrase.kind)
        guard let passphrase else {
            guard !wire.hasPassphrase else { throw .invalidArgument("passphrase.value is empty") }
            return wire.recipientPublicKey.isEmpty ? .none : .recipients(publicKeys: [Array(wire.recipientPublicKey)])
        }
        guard wire.recipientPublicKey.isEmpty else {
            throw .invalidArgument("an export is sealed with a passphrase or for a recipient, not both")
        }
        return .passphrase(passphrase, lowCost: wire.lowCost)
    }
}

extension Answer {
    init(_ result: BlobResult) {
        let wire: WireResponse.OneOf_Result =
            switch result {
            case .exportBegun(let start):
                .blobExport(
                    .with {
                        $0.session = start.session.number
                        $0.messageCount = UInt64(clamping: start.messageCount)
                        $0.totalBytes = start.totalBytes
                    })
            case .piece(let piece):
                .blobExportPiece(
                    .with {
                        $0.data = Data(piece.data)
                        $0.isLast = piece.isLast
                    })
            case .importBegun(let session): .blobImport(.with { $0.session = session.number })
            case .importContinued(let bytesReceived): .blobImportProgress(.with { $0.bytesReceived = bytesReceived })
            case .importFinished(let report): .blobImportReport(WireBlobImportReport(report))
            case .ended: .blobSessionEnded(WireEndBlobSessionResponse())
            case .archiveBegun(let start): .archive(WireBeginArchiveResponse(start))
            case .archivePiece(let piece):
                .archivePiece(
                    .with {
                        $0.data = Data(piece.data)
                        $0.isLast = piece.isLast
                    })
            case .restoreBegun(let session): .archiveRestore(.with { $0.session = session.number })
            case .restoreContinued(let bytesReceived):
                .archiveRestoreProgress(.with { $0.bytesReceived = bytesReceived })
            case .restoreFinished(let report): .archiveRestoreReport(WireArchiveRestoreReport(report))
            case .archiveEnded: .archiveSessionEnded(WireEndArchiveSessionResponse())
            }
        self = .result(wire)
    }
}

extension WireBlobImportReport {
    fileprivate init(_ report: BlobImportReport) {
        self.init()
        messageCount = UInt64(clamping: report.messageCount)
        contentBytes = report.contentBytes
        createdCount = UInt64(clamping: report.createdCount)
        updatedCount = UInt64(clamping: report.updatedCount)
        contentID = report.contentID
        isDryRun = report.isDryRun
        isSealed = report.isSealed
        if let oldest = report.oldest {
            oldestMicroseconds = oldest.microseconds
        }
        if let newest = report.newest {
            newestMicroseconds = newest.microseconds
        }
    }
}
