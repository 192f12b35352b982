import StoreEngine
import StoreProtocol

extension WireArchiveCounts {
    init(_ counts: ArchiveCounts) {
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
