import StoreBasics
import StoreProtocol

extension WireArchiveAim {
    init(_ aim: ArchiveAim) {
        switch aim {
        case .verify: self = .verify
        case .fillEmpty: self = .fillEmpty
        case .merge: self = .merge
        }
    }
}

extension ArchiveCounts {
    init(_ wire: WireArchiveCounts) {
        self.init(
            contacts: wire.contacts, conversations: wire.conversations, messages: wire.messages,
            reactions: wire.reactions, drafts: wire.drafts, sceneValues: wire.sceneValues, logs: wire.logs,
            logEntries: wire.logEntries, directories: wire.directories, files: wire.files,
            contents: wire.contents, removals: wire.removals)
    }
}

extension WireArchiveCounts {
    init(_ counts: ArchiveCounts) {
        self.init()
        contacts = counts.contacts
        conversations = counts.conversations
        messages = counts.messages
        reactions = counts.reactions
        drafts = counts.drafts
        sceneValues = counts.sceneValues
        logs = counts.logs
        logEntries = counts.logEntries
        directories = counts.directories
        files = counts.files
        contents = counts.contents
        removals = counts.removals
    }
}

extension ArchiveRestoreReport {
    init(_ wire: WireArchiveRestoreReport) {
        self.init(
            historyID: Hexadecimal.encode(Array(wire.header.historyID)), revision: wire.header.revision,
            createdAt: Timestamp(microseconds: wire.header.createdAtMicroseconds),
            sinceRevision: wire.header.sinceRevision, counts: ArchiveCounts(wire.counts),
            added: ArchiveCounts(wire.added), updated: ArchiveCounts(wire.updated), kept: ArchiveCounts(wire.kept),
            equal: ArchiveCounts(wire.equal), contentBytes: wire.contentBytes, contentID: wire.contentID,
            isDryRun: wire.isDryRun, isSealed: wire.isSealed)
    }
}
