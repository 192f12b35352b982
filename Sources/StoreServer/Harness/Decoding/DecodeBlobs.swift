internal import StoreBasics
internal import StoreCrypto
internal import StoreEngine
internal import StoreProtocol

extension RequestDecoder {
    static func decodeBlobs(
        _ kind: CallKind, _ call: UnsafeRawBufferPointer, _ secrets: RequestSecrets
    ) throws(RequestFailure) -> BlobCommand {
        switch kind {
        case .beginBlobExport:
            return .beginExport(try blobExport(try parse(WireBeginBlobExportRequest.self, call), secrets))
        case .readBlobExport:
            let request = try parse(WireReadBlobExportRequest.self, call)
            return .readExport(BlobSessionID(number: request.session), offset: request.offset)
        case .beginBlobImport:
            return .beginImport(try blobImport(try parse(WireBeginBlobImportRequest.self, call), secrets))
        case .writeBlobImport:
            let request = try parse(WireWriteBlobImportRequest.self, call)
            return .writeImport(
                BlobSessionID(number: request.session), offset: request.offset, data: Array(request.data))
        case .finishBlobImport:
            return .finishImport(
                BlobSessionID(number: try parse(WireFinishBlobImportRequest.self, call).session))
        case .endBlobSession:
            return .end(BlobSessionID(number: try parse(WireEndBlobSessionRequest.self, call).session))
        default:
            preconditionFailure("\(kind) is not a call on blobs")
        }
    }

    private static func blobExport(
        _ wire: WireBeginBlobExportRequest, _ secrets: RequestSecrets
    ) throws(RequestFailure) -> BlobExportRequest {
        var query = MessageQuery(
            conversation: try conversation(wire.conversation.reference),
            order: .oldestFirst)
        query.from = wire.hasFromMicroseconds ? Timestamp(microseconds: wire.fromMicroseconds) : nil
        query.until = wire.hasUntilMicroseconds ? Timestamp(microseconds: wire.untilMicroseconds) : nil
        query.senderSessionID = wire.hasSenderSessionID ? wire.senderSessionID : nil
        query.isOutgoing = wire.hasIsOutgoing ? wire.isOutgoing : nil
        return BlobExportRequest(query: query, sealing: try blobSealing(wire, secrets))
    }

    private static func blobSealing(
        _ wire: WireBeginBlobExportRequest, _ secrets: RequestSecrets
    ) throws(RequestFailure) -> BlobSealing {
        let passphrase = try secrets.takeSecret(kind: wire.passphrase.kind)
        guard let passphrase else {
            guard !wire.hasPassphrase else {
                throw .invalidArgument("passphrase.value is empty")
            }
            return wire.recipientPublicKey.isEmpty ? .none : .recipient(publicKey: Array(wire.recipientPublicKey))
        }
        guard wire.recipientPublicKey.isEmpty else {
            throw .invalidArgument("an export is sealed with a passphrase or for a recipient, not both")
        }
        return .passphrase(passphrase, lowCost: wire.lowCost)
    }

    private static func blobImport(
        _ wire: WireBeginBlobImportRequest, _ secrets: RequestSecrets
    ) throws(RequestFailure) -> BlobImportRequest {
        let secret = try secrets.takeSecret(kind: wire.secret.kind)
        guard secret != nil || !wire.hasSecret else {
            throw .invalidArgument("secret.value is empty")
        }
        return BlobImportRequest(
            conversation: wire.hasConversation ? try conversation(wire.conversation.reference) : nil,
            importID: wire.importID.isEmpty ? nil : wire.importID, isDryRun: wire.dryRun, secret: secret,
            fileBytes: wire.bytes == 0 ? nil : wire.bytes)
    }
}
