import FoundationEssentials
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

/// Records of archives as protobuf (archives.proto).
struct ArchiveRecordCoding: ArchiveCoding {
    func encode(_ entry: ArchiveEntry) -> [UInt8] {
        var wire = WireArchiveRecord()
        wire.record = .init(entry.record)
        if let time = entry.changedAt { wire.changedAtMicroseconds = time.microseconds }
        let bytes: [UInt8]? = try? wire.serializedBytes()
        guard let bytes else { preconditionFailure("a record without required fields can be serialized") }
        return bytes
    }

    func decode(_ bytes: ArraySlice<UInt8>) throws(StoreError) -> ArchiveEntry {
        let attachmentCount = NestedAttachments.count(archived: bytes)
        guard attachmentCount ?? 0 <= EngineLimits.attachmentsMax else {
            throw .invalidArgument("it has more than \(EngineLimits.attachmentsMax) attachments")
        }
        guard attachmentCount != nil, let wire = try? WireArchiveRecord(serializedBytes: Array(bytes)) else {
            throw .invalidArgument("its bytes are not a record")
        }
        guard wire.contentFile.isEmpty else {
            throw .invalidArgument("it names a file that contains its bytes, which is allowed only in JSON Lines")
        }
        do throws(RequestFailure) {
            return ArchiveEntry(
                try ArchiveRecord(wire: wire.record),
                changedAt: wire.hasChangedAtMicroseconds
                    ? Timestamp(microseconds: wire.changedAtMicroseconds) : nil)
        } catch {
            throw .invalidArgument(error.message)
        }
    }
}

extension WireArchiveRecord.OneOf_Record {
    fileprivate init(_ record: ArchiveRecord) {
        switch record {
        case .header(let header): self = .header(WireArchiveHeader(header))
        case .contact(let contact): self = .contact(WireArchivedContact(contact))
        case .conversation(let conversation): self = .conversation(WireArchivedConversation(conversation))
        case .message(let message): self = .message(WireArchivedMessage(message))
        case .reaction(let reaction): self = .reaction(WireArchivedReaction(reaction))
        case .draft(let draft): self = .draft(WireArchivedDraft(draft))
        case .sceneValue(let value): self = .sceneValue(WireArchivedSceneValue(value))
        case .log(let log): self = .log(WireArchivedLog(log))
        case .logEntry(let entry): self = .logEntry(WireArchivedLogEntry(entry))
        case .directory(let directory): self = .directory(WireArchivedDirectory(directory))
        case .file(let file): self = .file(WireArchivedFile(file))
        case .content(let content): self = .content(WireArchivedContent(content))
        case .filePiece(let bytes): self = .filePiece(Data(bytes))
        case .removal(let removal): self = .removal(WireArchivedRemoval(removal))
        case .footer(let footer): self = .footer(WireArchiveFooter(footer))
        }
    }
}

extension ArchiveRecord {
    /// - Throws: `.invalidArgument` for what no store holds.
    fileprivate init(wire: WireArchiveRecord.OneOf_Record?) throws(RequestFailure) {
        switch wire {
        case .header(let header): self = .header(try ArchiveHeader(wire: header))
        case .contact(let contact): self = .contact(try ArchivedContact(wire: contact))
        case .conversation(let conversation): self = .conversation(try ArchivedConversation(wire: conversation))
        case .message(let message): self = .message(try ArchivedMessage(wire: message))
        case .reaction(let reaction): self = .reaction(try ArchivedReaction(wire: reaction))
        case .draft(let draft): self = .draft(try ArchivedDraft(wire: draft))
        case .sceneValue(let value): self = .sceneValue(try ArchivedSceneValue(wire: value))
        case .log(let log): self = .log(try ArchivedLog(wire: log))
        case .logEntry(let entry): self = .logEntry(try ArchivedLogEntry(wire: entry))
        case .directory(let directory): self = .directory(try ArchivedDirectory(wire: directory))
        case .file(let file): self = .file(try ArchivedFile(wire: file))
        case .content(let content): self = .content(try ArchivedContent(wire: content))
        case .filePiece(let bytes): self = .filePiece(Array(bytes))
        case .removal(let removal): self = .removal(try ArchivedRemoval(wire: removal))
        case .footer(let footer): self = .footer(try ArchiveFooter(wire: footer))
        case nil: throw .invalidArgument("its kind is unknown to this daemon")
        }
    }
}
