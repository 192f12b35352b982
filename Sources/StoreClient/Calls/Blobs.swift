import FoundationEssentials
import StoreProtocol

/// Conversations as message files, plain and sealed, piece by piece (proto-docs/BLOBS.md). Nothing here is repeated by
/// itself after a lost connection: begin again.
extension StoreClient {
    /// Bytes of the largest piece, either way.
    public static let blobPieceBytesMax = 1 << 20

    /// Begins the export of a conversation as it is now. Read its pieces with `readBlobExport`.
    public func beginBlobExport(
        of conversation: ConversationReference, filter: BlobFilter = BlobFilter(),
        seal: consuming BlobSeal = .none
    ) async throws(StoreClientError) -> BlobExport {
        var call = WireBeginBlobExportRequest()
        call.conversation = WireConversationReference(conversation)
        call.apply(filter)
        var secrets = SecretList()
        switch consume seal {
        case .none:
            break
        case .passphrase(let passphrase, let lowCost):
            call.passphrase = secrets.add(passphrase)
            call.lowCost = lowCost
        case .recipient(let publicKey):
            call.recipientPublicKey = Data(publicKey)
        }
        let body = try RequestBody(.beginBlobExport(call), secrets: secrets)
        let begun = try await finalAnswer(to: body, .session(.blob)).result { result in
            if case .blobExport(let begun) = result { begun } else { nil }
        }
        return BlobExport(begun)
    }
}
