import ReplicaModel
import StoreBasics
import StoreProtocol
import Testing

@testable import StoreEngine
@testable import StoreServer

/// A comparison of the code with the tables "Limits of calls" and "Limits of fields" of proto-docs/PROTOCOL.md.
@Suite struct DocumentedLimitsTests {
    private let rows: [[String]]

    init() throws {
        rows = try ProtocolDocument.rows()
    }

    /// Returns the number in the second column of a row.
    private func number(_ name: String) -> Int? {
        rows.first { $0.first == name }.flatMap { Int($0[1].filter { $0 != "," }) }
    }

    @Test func `the documented size limit of every call is that of the code`() throws {
        let start = try #require(rows.firstIndex(of: ["calls", "bytes"]))
        var told: [String: Int] = [:]
        for row in rows[(start + 1)...].prefix(while: { $0.count == 2 && $0[0] != "list" }) {
            let bytes = row[1] == "what a frame holds" ? .max : try #require(Int(row[1].filter { $0 != "," }))
            for name in row[0].split(separator: ", ") {
                told[String(name)] = bytes
            }
        }
        let others = try #require(told["all others"])
        told["all others"] = nil
        #expect(Set(told.keys).isSubset(of: CallKind.allCases.map(\.name)))
        for kind in CallKind.allCases {
            #expect(told[kind.name] ?? others == kind.rule.bytesMax, "\(kind.name)")
        }
    }

    @Test func `the documented limits of lists are those of the engine`() {
        let long =
            "messages, attachments and ids of messages in a request, metadata of append_log, members, changes and "
            + "conditions of set_scene_values"
        #expect(number(long) == EngineLimits.requestEntitiesMax)
        #expect(number("keys of get_scene_values") == EngineLimits.pageRowsMax)
        #expect(number("rules that select what is replicated") == ReplicaSelection.rulesMax)
        #expect(number("attachments of a message or draft") == EngineLimits.attachmentsMax)
    }

    static let fields: [(String, Int)] = [
        ("ids of conversations, messages and contacts", EntityID.bytesMax),
        ("session ids of conversations, contacts and authors of reactions", SessionID.bytesMax),
        ("emoji of a reaction", Emoji.bytesMax),
        ("session ids of a message's sender and recipient", SessionID.bytesMax),
        ("text of a message or a draft", EngineLimits.messageTextBytesMax),
        ("field `attachment_url` of a message or a draft", EngineLimits.attachmentURLBytesMax),
        ("field `attachment_type`, and MIME type of an attachment", EngineLimits.attachmentTypeBytesMax),
        ("kind of a message or conversation", EngineLimits.kindBytesMax),
        ("name of a message's sender", EngineLimits.senderNameBytesMax),
        ("`metadata`", EngineLimits.metadataBytesMax),
        ("type of `metadata`", EngineLimits.attachmentTypeBytesMax),
        ("session id of a member", SessionID.bytesMax),
        ("name of a member", EngineLimits.displayNameBytesMax),
        ("role of a member", EngineLimits.kindBytesMax),
        ("name of an attachment", EngineLimits.attachmentNameBytesMax),
        ("thumbnail of an attachment", EngineLimits.attachmentThumbnailBytesMax),
        ("source of an attachment", EngineLimits.attachmentSourceBytesMax),
        ("content of an attachment that is sent with its message", EngineLimits.inlineFileBytesMax),
        ("display names", EngineLimits.displayNameBytesMax),
        ("notes of a contact", EngineLimits.notesBytesMax),
        ("avatars", EngineLimits.avatarBytesMax),
        ("names of scenes", SceneName.bytesMax),
        ("keys of scenes", SceneKey.bytesMax),
        ("value of a scene, serialized", EngineLimits.sceneValueBytesMax),
        ("names of logs", LogName.bytesMax),
        ("message of a log", EngineLimits.logMessageBytesMax),
        ("names of files and directories", FileName.bytesMax),
        ("path of a file, slashes between its names counted", EngineLimits.filePathBytesMax),
        ("content of a file after `save_file` or `append_file`", EngineLimits.inlineFileBytesMax),
        ("content of any file", Int(EngineLimits.fileBytesMax)),
        ("piece of a file", EngineLimits.filePieceBytesMax),
        ("id of an import", BlobLimits.importIDBytesMax),
        ("piece of an export or import", BlobLimits.pieceBytesMax),
        ("piece of a backup", BackupLimits.chunkBytesMax),
        ("name of a backup", CallLimits.backupNameBytesMax),
        ("label of a key slot", CallLimits.labelBytesMax),
        ("name of a client", CallLimits.clientNameBytesMax),
        ("name of a device of a group", MemberRecord.nameBytesMax),
        ("pattern of a rule that selects what is replicated", NamePattern.textBytesMax),
        ("replication message that `hand_in_replica_message` passes", CallLimits.replicaMessageBytesMax),
    ]

    @Test(arguments: fields) func `each field has the documented size limit`(_ name: String, _ bytesMax: Int) {
        #expect(number(name) == bytesMax)
    }

    @Test func `every documented field is compared with the code`() throws {
        let start = try #require(rows.firstIndex(of: ["field", "bytes", "named"]))
        let told = rows[(start + 1)...].prefix { $0.count == 3 && $0[1].first?.isNumber == true }.map { $0[0] }
        #expect(told == Self.fields.map(\.0))
    }

    private static let waiting: [(String, String)] = [
        ("payload", mebibytes(ServerLimits.frameBytesMax.defaultValue)),
        ("connections (shared by users)", grouped(ServerLimits.connectionsMax.defaultValue)),
        (
            "connections of a caller without any right, idle",
            "\(ServerLimits.strangerTimeoutSeconds.defaultValue) s"
        ),
        (
            "requests in flight on a connection",
            "\(grouped(ServerLimits.requestsInFlightMax.defaultValue)) or "
                + "\(mebibytes(ServerLimits.requestBytesInFlightMax.defaultValue)), decoded"
        ),
        ("unread answers of a connection", "\(ServerLimits.answerBytesPendingMax.defaultValue >> 10) KiB"),
        (
            "watches of a connection, and waiting reads",
            "\(ServerLimits.watchesPerConnectionMax.defaultValue) each"
        ),
        ("watches and waiting reads together (shared by users)", grouped(ServerLimits.watchesMax.defaultValue)),
        ("events that the watching client has not read", mebibytes(ServerLimits.watchBacklogBytesMax.defaultValue)),
        (
            "memory of requests and answers (shared by users)",
            mebibytes(ServerLimits.memoryBytesMax.defaultValue) + ", decoded"
        ),
        (
            "writes waiting in the daemon, half of it for one user",
            grouped(EngineLimits.writeQueueRequestsMax) + " or " + mebibytes(EngineLimits.writeQueueBytesMax)
        ),
        ("long reads waiting in the daemon, half of it for one user", grouped(EngineLimits.readQueueRequestsMax)),
        (
            "waiting administration calls, including each piece of a backup, excluding `lock`; half of it for one user",
            "\(AdministrationQueue.jobsMax)"
        ),
        ("requests of exports and imports waiting, half of it for one user", "\(BlobLimits.waitingRequestsMax)"),
        ("exports and imports at once (one user alone: 4)", "\(BlobLimits.sessionsMax)"),
        ("requests of writes in pieces waiting, half of it for one user", "\(FileWriteLimits.waitingRequestsMax)"),
        ("writes in pieces at once (one user alone: 16)", "\(FileWriteLimits.sessionsMax)"),
        ("backups and uploads in the state directory", "\(BackupLimits.backupsMax)"),
        ("key slots", "16"),
    ]

    @Test func `the documented limits of connections, queues and stored items are those of the code`() throws {
        let told = try ProtocolDocument.table(["limit", "default", "when it is hit"])
        #expect(told.map { Array($0.prefix(2)) } == Self.waiting.map { [$0.0, $0.1] })
        let unread = told.first { $0.first == "unread answers of a connection" }?.last
        let seconds = ServerLimits.answerTimeoutSeconds.defaultValue
        #expect(unread?.contains("after \(seconds) s the daemon closes it") == true)
    }

    /// Formats a number below 1,000,000, with a comma before its last three digits if it has more than three.
    private static func grouped(_ number: Int) -> String {
        number < 1_000 ? "\(number)" : "\(number / 1_000),\("\(1_000 + number % 1_000)".dropFirst())"
    }

    private static func mebibytes(_ bytes: Int) -> String {
        "\(bytes >> 20) MiB"
    }
}
