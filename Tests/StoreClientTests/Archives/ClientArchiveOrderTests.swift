import StoreBasics
import TestBasics
import Testing

@testable import StoreClient

/// Tests of the order of records, with the same table of cases as the engine's tests.
@Suite struct ClientArchiveOrderTests {
    @Test func `records are accepted or refused depending on their position`() throws {
        for one in ArchiveOrderCase.all {
            var order = ArchiveOrderChecker()
            for (index, part) in one.parts.enumerated() {
                let fault = try order.check(Self.record(part, one.isOfChanges, order.counts))
                let isAllowed = index < one.parts.count - 1 || one.isAllowed
                #expect((fault == nil) == isAllowed, "\(one): \(fault ?? "taken")")
            }
        }
    }

    @Test func `an archive of changes has at most as many reactions to a message as a message may have`() throws {
        for isOfChanges in [false, true] {
            var order = ArchiveOrderChecker()
            for part in [ArchivePart.header, .conversation, .message] {
                #expect(try order.check(Self.record(part, isOfChanges, order.counts)) == nil)
            }
            let reaction = try Self.record(.reaction, isOfChanges, order.counts)
            for _ in 0..<10_000 {
                #expect(order.check(reaction) == nil)
            }
            var next = order
            #expect((next.check(reaction) == nil) == !isOfChanges)
        }
    }

    private static func record(
        _ part: ArchivePart, _ isOfChanges: Bool, _ counts: ArchiveCounts
    ) throws -> ArchiveRecord {
        switch part {
        case .piece: ArchiveRecord(filePiece: [1])
        case .footer: .footer(counts)
        default: try ArchiveRecord(json: json(part, isOfChanges))
        }
    }

    private static func json(_ part: ArchivePart, _ isOfChanges: Bool) -> String {
        let digest = String(repeating: "AAAA", count: 10) + "AAA="
        return switch part {
        case .header:
            """
            {"header": {"formatVersion": 1, "historyId": "AAAAAAAAAAAAAAAAAAAAAA==",
            "revision": 2, "sinceRevision": \(isOfChanges ? 1 : 0)}}
            """
        case .contact: #"{"contact": {"id": "c", "sessionId": "s"}}"#
        case .changedContact: #"{"contact": {"id": "c", "sessionId": "s"}, "changedAtMicroseconds": 1}"#
        case .conversation: #"{"conversation": {"id": "k", "sessionId": "s"}}"#
        case .message: #"{"message": {"id": "m", "text": "text", "status": "MESSAGE_STATUS_SENT"}}"#
        case .reaction: #"{"reaction": {"authorSessionId": "s", "emoji": "👍"}}"#
        case .draft: #"{"draft": {"sessionId": "s", "text": "text"}}"#
        case .removal: #"{"removal": {"kind": "ENTITY_KIND_CONTACT", "id": "c"}}"#
        case .reactionRemoval: #"{"removal": {"kind": "ENTITY_KIND_REACTION", "id": "m"}}"#
        case .reactionRemovalOfOther: #"{"removal": {"kind": "ENTITY_KIND_REACTION", "id": "other"}}"#
        case .sceneValue: #"{"sceneValue": {"key": "key", "value": "AQ=="}}"#
        case .log: #"{"log": {"name": "log", "maximumBytes": 1000, "overwritesOldest": true}}"#
        case .logEntry: #"{"logEntry": {"sequence": 1, "offset": 64, "data": "AQ=="}}"#
        case .directory: #"{"directory": {"path": {"area": "FILE_AREA_DOCUMENT", "path": "a"}}}"#
        case .emptyFile: #"{"file": {"path": {"area": "FILE_AREA_DOCUMENT", "path": "a"}}}"#
        case .file: #"{"file": {"path": {"area": "FILE_AREA_DOCUMENT", "path": "a"}, "byteCount": 1}}"#
        case .content: #"{"content": {"byteCount": 1, "digest": "\#(digest)"}}"#
        case .piece, .footer: ""
        }
    }
}
