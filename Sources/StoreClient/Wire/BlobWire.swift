import FoundationEssentials
import StoreProtocol

extension WireBeginBlobExportRequest {
    init(_ conversation: ConversationReference, _ filter: BlobFilter) {
        self.init()
        self.conversation = WireConversationReference(conversation)
        if let from = filter.from {
            fromMicroseconds = from.microseconds
        }
        if let until = filter.until {
            untilMicroseconds = until.microseconds
        }
        if let sender = filter.senderSessionID {
            senderSessionID = sender
        }
        if let isOutgoing = filter.isOutgoing {
            self.isOutgoing = isOutgoing
        }
    }
}

extension WireBeginBlobImportRequest {
    init(_ options: BlobImportOptions) {
        self.init()
        if let conversation = options.conversation {
            self.conversation = WireConversationReference(conversation)
        }
        importID = options.importID ?? ""
        dryRun = options.isDryRun
        if let announced = options.totalBytes {
            totalBytes = announced
        }
    }
}

extension BlobImportReport {
    init(_ wire: WireBlobImportReport) {
        self.init(
            messageCount: Int(clamping: wire.messageCount), contentBytes: wire.contentBytes,
            createdCount: Int(clamping: wire.createdCount), updatedCount: Int(clamping: wire.updatedCount),
            contentID: wire.contentID, isDryRun: wire.isDryRun, isSealed: wire.isSealed,
            oldest: wire.hasOldestMicroseconds ? Timestamp(microseconds: wire.oldestMicroseconds) : nil,
            newest: wire.hasNewestMicroseconds ? Timestamp(microseconds: wire.newestMicroseconds) : nil)
    }
}
