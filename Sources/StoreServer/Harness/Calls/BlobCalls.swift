import FoundationEssentials
import StoreBasics
import StoreCrypto
import StoreEngine
import StoreProtocol
import SwiftProtobuf

enum BlobCalls {
    static let beginBlobExport = CallRule(.exportBlobs, .read, names: .itself) {
        (request: WireBeginBlobExportRequest, secrets) throws(StoreError) in
        let conversation = try ConversationReference(request.conversation.reference)
        let filter = try MessageFilter(wire: request)
        let seal = try secrets.takeSeal(
            of: "an export", passphrase: request.hasPassphrase ? request.passphrase : nil, lowCost: request.lowCost,
            publicKeys: request.recipientPublicKey.isEmpty ? [] : [Array(request.recipientPublicKey)])
        return .blob(.beginExport(BlobExportRequest(conversation: conversation, filter: filter, sealing: seal)))
    }

    static let readBlobExport = CallRule(.continueExport, .read) {
        (request: WireReadBlobExportRequest, _) throws(StoreError) in
        .blob(.readExport(BlobSessionID(number: request.session), offset: request.offset))
    }

    static let beginBlobImport = CallRule(.importBlobs, .read, names: .itself) {
        (request: WireBeginBlobImportRequest, secrets) throws(StoreError) in
        let secret = try secrets.takeSecret(request.hasSecret ? request.secret : nil, field: "secret")
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
    ) { (request: WireWriteBlobImportRequest, _) throws(StoreError) in
        .blob(
            .writeImport(
                BlobSessionID(number: request.session), offset: request.offset, data: Array(request.data)))
    }

    static let finishBlobImport = CallRule(.continueImport, .read) {
        (request: WireFinishBlobImportRequest, _) throws(StoreError) in
        .blob(.finishImport(BlobSessionID(number: request.session)))
    }

    static let endBlobSession = CallRule(.none, .read) {
        (request: WireEndBlobSessionRequest, _) throws(StoreError) in
        .blob(.end(BlobSessionID(number: request.session)))
    }
}

extension Answer {
    init(_ result: BlobResult) {
        let wire: WireResponse.OneOf_Result =
            switch result {
            case .exportBegun(let start): .blobExport(WireBeginBlobExportResponse(start))
            case .piece(let piece): .blobExportPiece(WireReadBlobExportResponse(piece))
            case .importBegun(let session): .blobImport(.with { $0.session = session.number })
            case .importContinued(let bytesReceived): .blobImportProgress(.with { $0.bytesReceived = bytesReceived })
            case .importFinished(let report): .blobImportReport(WireBlobImportReport(report))
            case .ended: .blobSessionEnded(WireEndBlobSessionResponse())
            case .archiveBegun(let start): .archive(WireBeginArchiveResponse(start))
            case .archivePiece(let piece): .archivePiece(WireReadArchiveResponse(piece))
            case .restoreBegun(let session): .archiveRestore(.with { $0.session = session.number })
            case .restoreContinued(let bytesReceived):
                .archiveRestoreProgress(.with { $0.bytesReceived = bytesReceived })
            case .restoreFinished(let report): .archiveRestoreReport(WireArchiveRestoreReport(report))
            case .archiveEnded: .archiveSessionEnded(WireEndArchiveSessionResponse())
            }
        self = .result(wire)
    }
}
