import FoundationEssentials
import StoreBasics
import StoreCrypto
import StoreEngine
import StoreProtocol

enum ArchiveCalls {
    static let beginArchive = CallRule(.archive, .read) {
        (request: WireBeginArchiveRequest, secrets) throws(StoreError) in
        .blob(
            .archive(
                ArchiveRequest(
                    coding: ArchiveRecordCoding(),
                    sealing: try secrets.takeSeal(
                        of: "an archive", passphrase: request.hasPassphrase ? request.passphrase : nil,
                        lowCost: request.lowCost, publicKeys: request.recipientPublicKeys.map { Array($0) }),
                    sinceRevision: request.sinceRevision)))
    }

    static let readArchive = CallRule(.archive, .read) {
        (request: WireReadArchiveRequest, _) throws(StoreError) in
        .blob(.archivePiece(BlobSessionID(number: request.session), offset: request.offset))
    }

    static let beginArchiveRestore = CallRule(.restoreArchive, .read) {
        (request: WireBeginArchiveRestoreRequest, secrets) throws(StoreError) in
        let secret = try secrets.takeSecret(request.hasSecret ? request.secret : nil, field: "secret")
        return .blob(
            .beginRestore(
                ArchiveRestoreRequest(
                    coding: ArchiveRecordCoding(), aim: try ArchiveRestoreRequest.Aim(wire: request.aim),
                    isDryRun: request.dryRun, secret: secret, isWithoutDigest: request.withoutDigest)))
    }

    static let writeArchiveRestore = CallRule(
        .restoreArchive, .read, bytesMax: BlobLimits.pieceBytesMax + CallLimits.smallCallBytesMax
    ) { (request: WireWriteArchiveRestoreRequest, _) throws(StoreError) in
        .blob(
            .writeRestore(
                BlobSessionID(number: request.session), offset: request.offset, data: Array(request.data)))
    }

    static let finishArchiveRestore = CallRule(.restoreArchive, .read) {
        (request: WireFinishArchiveRestoreRequest, _) throws(StoreError) in
        .blob(.finishRestore(BlobSessionID(number: request.session)))
    }

    static let endArchiveSession = CallRule(.none, .read) {
        (request: WireEndArchiveSessionRequest, _) throws(StoreError) in
        .blob(.endArchive(BlobSessionID(number: request.session)))
    }
}
