import FoundationEssentials
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

// The parts of archives whose conversion is more than one field after the other (Generated/ has the others).

extension ArchiveHeader {
    init(wire: WireArchiveHeader) throws(StoreError) {
        guard wire.formatVersion == Self.formatVersion else {
            throw .invalidArgument(
                "its version is \(wire.formatVersion); this daemon knows only version \(Self.formatVersion)")
        }
        guard let history = HistoryID(bytes: Array(wire.historyID)) else {
            throw .invalidArgument("its history id does not have 16 bytes")
        }
        self.init(
            history: history, revision: wire.revision,
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds), sinceRevision: wire.sinceRevision)
    }
}

extension WireArchivedRemoval {
    init(_ removal: ArchivedRemoval) {
        self.init()
        removedAtMicroseconds = removal.removedAt.microseconds
        switch removal.subject {
        case .contact(let id): (kind, self.id) = (.contact, id.text)
        case .conversation(let id): (kind, self.id) = (.conversation, id.text)
        case .message(let id): (kind, self.id) = (.message, id.text)
        case .draft(let id): (kind, self.id) = (.draft, id.text)
        case .sceneValue(let scene, let key): (kind, id, parentID) = (.sceneValue, key.text, scene?.text ?? "")
        case .scene(let scene): (kind, parentID) = (.sceneValue, scene.text)
        case .log(let name): (kind, id) = (.log, name.text)
        case .file(let path): (kind, id) = (.file, path.text)
        case .reactions(let message): (kind, id) = (.reaction, message.text)
        }
    }
}

extension ArchivedRemoval {
    init(wire: WireArchivedRemoval) throws(StoreError) {
        let subject: Subject
        switch wire.kind {
        case .contact: subject = .contact(try Name(wire: wire.id))
        case .conversation: subject = .conversation(try Name(wire: wire.id))
        case .message: subject = .message(try Name(wire: wire.id))
        case .draft: subject = .draft(try Name(wire: wire.id))
        case .sceneValue where wire.id.isEmpty: subject = .scene(try Name(wire: wire.parentID))
        case .sceneValue: subject = .sceneValue(try Name.given(wire.parentID), try Name(wire: wire.id))
        case .log: subject = .log(try Name(wire: wire.id))
        case .file: subject = .file(try FilePath(text: wire.id))
        case .reaction: subject = .reactions(of: try Name(wire: wire.id))
        case .unspecified, .store, .UNRECOGNIZED:
            throw .invalidArgument("the kind of entry that it removes is unknown to this daemon")
        }
        self.init(subject, removedAt: Timestamp(microseconds: wire.removedAtMicroseconds))
    }
}

extension NewAttachment {
    init(wire: WireArchivedAttachment) throws(StoreError) {
        let digest = try AttachmentDigest(wire: wire.digest)
        self = try NewAttachment(
            .listed(digest, byteCount: wire.byteCount), name: wire.name, mimeType: try MIMEType(wire.mimeType),
            thumbnail: Array(wire.thumbnail), source: wire.source, unknownFields: wire.unknownFields.inOrder)
    }
}

extension ArchiveCounts {
    /// The count of each kind of entry in a report.
    private static var fields: [(kind: ArchiveKind, count: WritableKeyPath<WireArchiveCounts, UInt64>)] {
        [
            (.contact, \.contacts), (.conversation, \.conversations), (.message, \.messages),
            (.reaction, \.reactions), (.draft, \.drafts), (.sceneValue, \.sceneValues), (.log, \.logs),
            (.logEntry, \.logEntries), (.directory, \.directories), (.file, \.files), (.content, \.contents),
            (.removal, \.removals),
        ]
    }

    init(wire: WireArchiveCounts) throws(StoreError) {
        self.init()
        for field in Self.fields {
            self[field.kind] = wire[keyPath: field.count]
        }
    }

    fileprivate var wire: WireArchiveCounts {
        Self.fields.reduce(into: WireArchiveCounts()) { $0[keyPath: $1.count] = self[$1.kind] }
    }
}

extension WireArchiveCounts {
    init(_ counts: ArchiveCounts) {
        self = counts.wire
    }
}

extension SwiftProtobuf.Message {
    /// A message with fields of a later version only.
    ///
    /// - Parameter unknownFields: as the engine keeps them; always fields.
    init(unknownFields: [UInt8]) {
        self = unknownFields.isEmpty ? Self() : (try? Self(serializedBytes: unknownFields)) ?? Self()
    }
}

extension UnknownStorage {
    /// The fields of a later version, as `TaggedFields.unknown` has them.
    var inOrder: [UInt8] { [UInt8]().inserting(unknown: Array(data)) }
}
