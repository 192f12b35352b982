internal import FoundationEssentials
internal import StoreBasics
internal import StoreEngine
internal import StoreProtocol
internal import SwiftProtobuf

extension ResponseEncoder {
    static func wire(_ result: BlobResult) -> WireResponse.OneOf_Result {
        switch result {
        case .exportBegun(let start):
            .blobExport(
                .with {
                    $0.session = start.session.number
                    $0.messageCount = UInt64(clamping: start.messageCount)
                    $0.bytes = start.bytes
                })
        case .piece(let piece):
            .blobExportPiece(
                .with {
                    $0.data = Data(piece.data)
                    $0.isLast = piece.isLast
                })
        case .importBegun(let session): .blobImport(.with { $0.session = session.number })
        case .importContinued(let bytesReceived):
            .blobImportProgress(.with { $0.bytesReceived = bytesReceived })
        case .importFinished(let report): .blobImportReport(wire(report))
        case .ended: .blobSessionEnded(WireEndBlobSessionResponse())
        }
    }

    private static func wire(_ report: BlobImportReport) -> WireBlobImportReport {
        var wire = WireBlobImportReport()
        wire.messageCount = UInt64(clamping: report.messageCount)
        wire.contentBytes = report.contentBytes
        wire.createdCount = UInt64(clamping: report.created)
        wire.updatedCount = UInt64(clamping: report.updated)
        wire.contentID = report.contentID
        wire.isDryRun = report.isDryRun
        wire.isSealed = report.isSealed
        if let oldest = report.oldest {
            wire.oldestMicroseconds = oldest.microseconds
        }
        if let newest = report.newest {
            wire.newestMicroseconds = newest.microseconds
        }
        return wire
    }
}
