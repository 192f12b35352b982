import FoundationEssentials
import StoreBasics
import StoreCrypto
import StoreEngine
import StoreProtocol
import SwiftProtobuf

enum ArchiveCalls {
    static let beginArchive = CallRule(.archive, .read) {
        (request: WireBeginArchiveRequest, secrets) throws(RequestFailure) in
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
        (request: WireReadArchiveRequest, _) throws(RequestFailure) in
        .blob(.archivePiece(BlobSessionID(number: request.session), offset: request.offset))
    }

    static let beginArchiveRestore = CallRule(.restoreArchive, .read) {
        (request: WireBeginArchiveRestoreRequest, secrets) throws(RequestFailure) in
        let secret = try secrets.takeSecret(request.hasSecret ? request.secret : nil, field: "secret")
        return .blob(
            .beginRestore(
                ArchiveRestoreRequest(
                    coding: ArchiveRecordCoding(), aim: try ArchiveRestoreRequest.Aim(request.aim),
                    isDryRun: request.dryRun, secret: secret, isWithoutDigest: request.withoutDigest)))
    }

    static let writeArchiveRestore = CallRule(
        .restoreArchive, .read, bytesMax: BlobLimits.pieceBytesMax + CallLimits.smallCallBytesMax
    ) { (request: WireWriteArchiveRestoreRequest, _) throws(RequestFailure) in
        .blob(
            .writeRestore(
                BlobSessionID(number: request.session), offset: request.offset, data: Array(request.data)))
    }

    static let finishArchiveRestore = CallRule(.restoreArchive, .read) {
        (request: WireFinishArchiveRestoreRequest, _) throws(RequestFailure) in
        .blob(.finishRestore(BlobSessionID(number: request.session)))
    }

    static let endArchiveSession = CallRule(.none, .read) {
        (request: WireEndArchiveSessionRequest, _) throws(RequestFailure) in
        .blob(.endArchive(BlobSessionID(number: request.session)))
    }
}

extension ArchiveRestoreRequest.Aim {
    fileprivate init(_ wire: WireArchiveAim) throws(RequestFailure) {
        switch wire {
        case .verify: self = .verify
        case .fillEmpty: self = .fillEmpty
        case .merge: self = .merge
        case .unspecified, .UNRECOGNIZED:
            throw .invalidArgument("the mode of the restore is missing: verify, fill an empty store, or merge")
        }
    }
}

extension WireBeginArchiveResponse {
    init(_ start: ArchiveStart) {
        self.init()
        session = start.session.number
        revision = start.header.revision
        createdAtMicroseconds = start.header.createdAt.microseconds
    }
}

extension WireArchiveRestoreReport {
    init(_ report: RestoreReport) {
        self.init()
        header = WireArchiveHeader(report.header)
        counts = WireArchiveCounts(report.counts)
        added = WireArchiveCounts(report.tally.added)
        updated = WireArchiveCounts(report.tally.updated)
        kept = WireArchiveCounts(report.tally.kept)
        equal = WireArchiveCounts(report.tally.equal)
        contentBytes = report.contentBytes
        contentID = report.contentID
        isDryRun = report.isDryRun
        isSealed = report.isSealed
    }
}

extension WireArchiveHeader {
    fileprivate init(_ header: ArchiveHeader) {
        self.init()
        formatVersion = ArchiveHeader.formatVersion
        historyID = Data(header.history.bytes)
        revision = header.revision
        createdAtMicroseconds = header.createdAt.microseconds
        sinceRevision = header.sinceRevision
    }
}

extension WireArchiveCounts {
    fileprivate init(_ counts: ArchiveCounts) {
        self.init()
        contacts = counts[.contact]
        conversations = counts[.conversation]
        messages = counts[.message]
        reactions = counts[.reaction]
        drafts = counts[.draft]
        sceneValues = counts[.sceneValue]
        logs = counts[.log]
        logEntries = counts[.logEntry]
        directories = counts[.directory]
        files = counts[.file]
        contents = counts[.content]
        removals = counts[.removal]
    }
}
