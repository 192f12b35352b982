import FoundationEssentials
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreServer

/// The texts that responses show to a caller with certain rights. The store has planted texts in every area.
private final class Shown {
    private let server: UserServer
    private let connection: RawConnection
    private let grants: Grants
    private var lastID: UInt64 = 0
    private var words = ["BLOB": "0", "WRITTEN": "0", "BACKUP": "none", "UPLOAD": "none", "SLOT": "99"]
    private(set) var calls: Set<CallKind> = []
    private(set) var texts: Set<PlantedText> = []

    /// Plants the texts with all rights, then limits the caller to `rights`.
    init(_ server: UserServer, _ rights: [AccessRight]) throws {
        self.server = server
        try server.reload(UserServer.everyRight)
        connection = try server.connect()
        grants = Grants(rights: rights)
        for json in AccessCalls.planting {
            let (_, answers) = try answers(to: json)
            #expect(["", "LOG_NOT_FOUND"].contains(answers.last?.error.reason), "\(json) was answered \(answers)")
        }
        try server.reload(rights)
    }

    /// Makes every call, and records an issue for each response with a text that the rights do not allow to read.
    func makeEveryCall() throws {
        for json in AccessCalls.all {
            let (request, answers) = try answers(to: json)
            let given = PlantedText.all(in: try request.serializedBytes())
            for answer in answers {
                let shown = PlantedText.all(in: try answer.serializedBytes())
                texts.formUnion(shown)
                let forbidden = shown.filter { !mayShow($0, request, given: given) }
                #expect(forbidden.isEmpty, "\(json) with \(grants) was answered \(answer)")
            }
        }
    }

    private func mayShow(_ text: PlantedText, _ request: WireRequest, given: Set<PlantedText>) -> Bool {
        if grants.allows(.read(text.area), name: text.entryName) || given.contains(text) {
            return true
        }
        // Documented exceptions: names of an entry to which the request refers, the conversation of a message, draft or
        // attachment, and the names in changes.
        let isNamed = given.contains { $0.area == text.area && $0.isName && $0.entry == text.entry }
        switch request.call {
        case .listChanges, .watch: return text.isName
        case .getMessage, .listMessages, .searchMessages, .getDraft, .listDrafts, .listAttachments:
            return text.isName && text.area == .conversations
        default: return text.isName && isNamed
        }
    }

    private func answers(to json: Substring) throws -> (WireRequest, [WireResponse]) {
        lastID += 1
        let request = try AccessCalls.request(json, id: lastID, words)
        var outline = RequestOutline()
        let payload: [UInt8] = try request.serializedBytes()
        try payload.withUnsafeBytes { try outline.read($0) }
        calls.insert(try #require(outline.callNumber.flatMap(CallKind.init(rawValue:))))
        try connection.send(request)
        var answers = [try connection.receive()]
        if case .watch = request.call, answers[0].more {
            try connection.send(RawConnection.request(lastID + 1_000, .cancel(.with { $0.requestID = lastID })))
            while answers.last?.id == lastID {
                answers.append(try connection.receive())
            }
        }
        while answers.last?.more == true {
            answers.append(try connection.receive())
        }
        answers.forEach(note)
        return (request, answers)
    }

    private func note(_ answer: WireResponse) {
        switch answer.result {
        case .blobExport(let export): words["BLOB"] = "\(export.session)"
        case .blobImport(let begun): words["BLOB"] = "\(begun.session)"
        case .archive(let begun): words["BLOB"] = "\(begun.session)"
        case .archiveRestore(let begun): words["BLOB"] = "\(begun.session)"
        case .fileWrite(let begun): words["WRITTEN"] = "\(begun.write)"
        case .backup(let backup): words["BACKUP"] = backup.name
        case .beginBackupUpload(let upload): words["UPLOAD"] = upload.name
        case .addKeySlot(let added): words["SLOT"] = "\(added.slot)"
        default: break
        }
    }
}

@Suite(.serialized, .timeLimit(.minutes(2))) struct AnswerAccessTests {
    /// Returns sets with one right each, and pairs of rights that allow more together than each alone.
    private static func combinations() throws -> [[AccessRight]] {
        var combinations: [[AccessRight]] = [[], [.administration], [.replication]]
        for area in Area.allCases {
            combinations += [[.read(area, nil)], [.write(area, nil)]]
            if area.hasNames {
                let pattern = try #require(NamePattern("*planted.\(area).name.mine*"))
                combinations += [[.read(area, pattern)], [.write(area, pattern)]]
            }
        }
        return combinations + [
            [.read(.blobs, nil), .read(.messages, nil)], [.write(.blobs, nil), .write(.messages, nil)],
        ]
    }

    @Test func `no response contains a text that its caller may not read`() async throws {
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
            let server = try UserServer(UserServer.everyRight)
            for rights in try Self.combinations() {
                let shown = try Shown(server, rights)
                try shown.makeEveryCall()
                #expect(shown.calls == Set(CallKind.allCases))
            }
            // With all rights every planted text appears in a response. So the calls above would have revealed a text
            // that they must not show.
            let shown = try Shown(server, UserServer.everyRight)
            try shown.makeEveryCall()
            let planted = try AccessCalls.planting.reduce(into: Set<PlantedText>()) { texts, json in
                texts.formUnion(PlantedText.all(in: try AccessCalls.request(json, id: 1, [:]).serializedBytes()))
            }
            #expect(planted.count > 20)
            #expect(planted.subtracting(shown.texts) == [])
            try server.stop()
        }
    }

    /// Checks the fields without planted texts, such as numbers and times.
    @Test func `the response to a caller who may only write has the names and what it needs to write`() async throws {
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
            let server = try UserServer(UserServer.everyRight)
            let connection = try server.connect()
            let session = "planted.conversations.name.one.session/"
            let name = "planted.logs.name.mine/"
            for (id, json) in AccessCalls.planting.enumerated() {
                let request = try AccessCalls.request(json, id: UInt64(id), [:])
                #expect(try ["", "LOG_NOT_FOUND"].contains(connection.call(#require(request.call)).error.reason))
            }
            let open = WireRequest.OneOf_Call.openLog(
                .with {
                    $0.name = name
                    $0.maximumBytes = 1_000
                })
            let whole = try connection.call(open).openLog.log
            #expect(whole.lastSequence == 1 && whole.usedBytes > 0 && whole.createdAtMicroseconds > 0)
            let pattern = try #require(NamePattern("planted.logs.*"))
            for rights in [
                [AccessRight.write(.logs, nil)], [.write(.logs, pattern)], [.write(.logs, nil), .read(.scenes, nil)],
            ] {
                try server.reload(rights)
                let expected = WireLog.with {
                    $0.name = name
                    $0.maximumBytes = 400
                }
                #expect(try connection.call(open).openLog.log == expected)
            }
            for read in [AccessRight.read(.logs, nil), .read(.logs, pattern)] {
                try server.reload([.write(.logs, pattern), read])
                #expect(try connection.call(open).openLog.log == whole)
                #expect(try connection.call(.getLog(.with { $0.name = name })).log == whole)
            }
            try server.reload([.write(.conversations, nil)])
            let made = try connection.call(.getOrCreateConversation(.with { $0.sessionID = session }))
            #expect(
                made.getOrCreateConversation.conversation
                    == .with {
                        $0.id = "planted.conversations.name.one.id/"
                        $0.sessionID = session
                    })
            try server.reload([.read(.conversations, nil)])
            let reference = WireConversationReference.with { $0.sessionID = session }
            let read = try connection.call(.getConversation(.with { $0.conversation = reference })).conversation
            #expect(!read.hasLastMessage && read.messageCount == 1 && read.hasAvatar_p)
            #expect(try connection.call(.getStatistics(.init())).statistics.contactCount == 0)
            try server.reload([.read(.conversations, nil), .read(.messages, nil), .read(.contacts, nil)])
            let all = try connection.call(.listConversations(.init())).conversations.conversations
            #expect(all.map(\.lastMessage.text) == ["planted.messages.content.one.text/"])
            #expect(try connection.call(.getStatistics(.init())).statistics.contactCount == 1)
            try server.stop()
        }
    }
}
