import StoreProtocol
import Testing

@testable import StoreEngine
@testable import StoreServer

/// The tables "Limits of calls" and "Limits of fields" of proto-docs/PROTOCOL.md, held to the code.
@Suite struct DocumentedLimitsTests {
    private let rows: [[String]]

    init() throws {
        rows = try ProtocolDocument.rows()
    }

    /// The number in the second column of a row.
    private func number(_ name: String) -> Int? {
        rows.first { $0.first == name }.flatMap { Int($0[1].filter { $0 != "," }) }
    }

    @Test func `the bytes of every call are the catalog's`() throws {
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

    @Test func `the entries of lists are the engine's`() {
        let long =
            "messages of save_messages and append_log, ids of messages, changes and conditions of set_scene_values"
        #expect(number(long) == EngineLimits.requestEntitiesMax)
        #expect(number("keys of get_scene_values") == EngineLimits.pageRowsMax)
    }

    static let fields: [(String, Int)] = [
        ("ids of conversations, messages and contacts", EntityID.bytesMax),
        ("session ids of conversations and contacts", SessionID.bytesMax),
        ("session ids of a message's sender and recipient", SessionID.bytesMax),
        ("text of a message", EngineLimits.messageTextBytesMax),
        ("URL of an attachment", EngineLimits.attachmentURLBytesMax),
        ("type of an attachment", EngineLimits.attachmentTypeBytesMax),
        ("display names", EngineLimits.displayNameBytesMax),
        ("notes of a contact", EngineLimits.notesBytesMax),
        ("avatars", EngineLimits.avatarBytesMax),
        ("names of scenes", SceneName.bytesMax),
        ("keys of scenes", SceneKey.bytesMax),
        ("value of a scene, serialized", EngineLimits.sceneValueBytesMax),
        ("names of logs", LogName.bytesMax),
        ("message of a log", EngineLimits.logMessageBytesMax),
        ("id of an import", BlobLimits.importIDBytesMax),
        ("piece of an export or import", BlobLimits.pieceBytesMax),
        ("piece of a backup", BackupLimits.chunkBytesMax),
        ("name of a backup", CallLimits.backupNameBytesMax),
        ("label of a key slot", CallLimits.labelBytesMax),
        ("name of a client", CallLimits.clientNameBytesMax),
    ]

    @Test(arguments: fields) func `the bytes of a field are the codes`(_ name: String, _ bytesMax: Int) {
        #expect(number(name) == bytesMax)
    }

    @Test func `no field is told that is not compared`() throws {
        let start = try #require(rows.firstIndex(of: ["field", "bytes", "named"]))
        let told = rows[(start + 1)...].prefix { $0.count == 3 && $0[1].first?.isNumber == true }.map { $0[0] }
        #expect(told == Self.fields.map(\.0))
    }

    @Test func `what may wait or be kept has the bound that is told`() {
        #expect(number("backups and uploads in the state directory") == BackupLimits.backupsMax)
        #expect(
            number("administration waiting or at work, each piece of a backup, but not `lock`")
                == AdministrationQueue.jobsMax)
        #expect(
            number("requests of exports and imports waiting, half of it for one user") == BlobLimits.waitingRequestsMax)
        #expect(number("exports and imports at once (one user alone: 4)") == BlobLimits.sessionsMax)
    }
}
