import FoundationEssentials
import StoreBasics
import StoreProtocol
import SwiftProtobuf
import Testing

@testable import StoreEngine
@testable import StoreServer

private func parse(_ call: WireRequest.OneOf_Call, _ rights: [AccessRight]) throws -> ParsedRequest {
    var payload: [UInt8] = try WireRequest.with {
        $0.id = 5
        $0.call = call
    }.serializedBytes()
    let harness = RequestHarness(permissions: CallPermissions(Grants(rights: rights)), uid: 1_000)
    return payload.withUnsafeMutableBytes { harness.parse($0, receivedAt: 1_000) }
}

private func command(_ parsed: ParsedRequest) -> Command? {
    if case .request(let request) = parsed { request.command } else { nil }
}

private func reason(_ parsed: ParsedRequest) -> ErrorReason? {
    if case .refused(_, _, let failure) = parsed { failure.reason } else { nil }
}

private func set(_ scene: String) -> WireRequest.OneOf_Call {
    .setSceneValues(
        .with {
            $0.scene = scene
            $0.global = scene.isEmpty
            $0.changes = [.with { $0.key = "k" }]
        })
}

private func tiers(_ parsed: ParsedRequest) -> SceneTiers? {
    switch command(parsed) {
    case .mutation(.setSceneValues(let tiers, _, _), _): tiers
    case .getSceneValues(let query): query.tiers
    default: nil
    }
}

@Suite struct NameAccessTests {
    private let notes: [AccessRight]
    private let everyName: [AccessRight]

    init() throws {
        let pattern = try #require(NamePattern("notes.*"))
        notes = [.read(.scenes, pattern), .write(.scenes, pattern)]
        let star = try #require(NamePattern("*"))
        everyName = [.read(.scenes, star), .write(.scenes, star)]
    }

    @Test func `calls of an export or import need a right to blobs of any name and a right to messages`() throws {
        let pattern = try #require(NamePattern("family.*"))
        let read: [AccessRight] = [.read(.blobs, pattern), .read(.messages, nil)]
        let write: [AccessRight] = [.write(.blobs, pattern), .write(.messages, nil)]
        let ofExport = WireRequest.OneOf_Call.readBlobExport(.with { $0.session = 1 })
        let ofImport: [WireRequest.OneOf_Call] = [
            .writeBlobImport(.with { $0.session = 1 }), .finishBlobImport(.with { $0.session = 1 }),
        ]
        #expect(reason(try parse(ofExport, read)) == nil)
        for rights in [[], write, [.read(.messages, nil)], [.read(.blobs, nil)]] {
            #expect(reason(try parse(ofExport, rights)) == .permissionDenied)
        }
        for call in ofImport {
            #expect(reason(try parse(call, write)) == nil)
            #expect(reason(try parse(call, read)) == .permissionDenied)
        }
        // The call that ends a session needs no right. The engine ends only sessions of the caller's user.
        #expect(reason(try parse(.endBlobSession(.with { $0.session = 1 }), [])) == nil)
    }

    @Test func `a right to some scenes allows no other scene`() throws {
        #expect(reason(try parse(set("notes.main"), notes)) == nil)
        #expect(reason(try parse(set("other"), notes)) == .permissionDenied)
        #expect(reason(try parse(.removeScene(.with { $0.scene = "notes." }), notes)) == nil)
        #expect(reason(try parse(.removeScene(.with { $0.scene = "note" }), notes)) == .permissionDenied)
        #expect(reason(try parse(.getSceneValues(.with { $0.scene = "other" }), notes)) == .permissionDenied)
    }

    @Test func `a right to some scenes excludes the global values`() throws {
        let name = try SceneName("notes.main")
        #expect(tiers(try parse(set("notes.main"), notes)) == .sceneOnly(name))
        #expect(tiers(try parse(.getSceneValues(.with { $0.scene = "notes.main" }), notes)) == .sceneOnly(name))
        let one = WireGetSceneValuesRequest.with {
            $0.scene = "notes.main"
            $0.keys = ["k"]
        }
        #expect(tiers(try parse(.getSceneValues(one), notes)) == .sceneOnly(name))
        #expect(reason(try parse(set(""), notes)) == .permissionDenied)
        #expect(tiers(try parse(set("notes.main"), everyName)) == .sceneAndGlobal(name))
        #expect(tiers(try parse(set("notes.main"), [.write(.scenes, nil)])) == .sceneAndGlobal(name))
        #expect(tiers(try parse(set(""), [.write(.scenes, nil)])) == .globalOnly)
    }

    @Test func `the rule that an error proposes allows the call, and only as much as needed`() throws {
        let accounts = AccountDirectory(user: { _ in nil }, group: { _ in nil })
        for kind in CallKind.allCases where kind.rule.requirement != .none {
            let failure = StoreError.permissionDenied(kind, isLimited: kind.rule.limitedRightWillDo, uid: 1_000)
            let text = try #require(failure.message.firstMatch(of: /"(.*)"/), "\(failure.message)").output.1
            let rule = try AccessRule(parsing: String(text), accounts: accounts)
            let permissions = CallPermissions(Grants(rights: rule.rights))
            let name = kind.rule.names == .below ? "NAME/" : "NAME"
            #expect(permissions.allows(kind) && permissions.allows(kind, name: name), "\(failure.message)")
            #expect(permissions.allowsEverywhere(kind) != kind.rule.namesEntry, "\(failure.message)")
        }
    }

    @Test func `the rule that an error proposes for files allows the call`() throws {
        let path = WireFilePath.with {
            ($0.area, $0.path) = (.document, "d")
        }
        let calls: [WireRequest.OneOf_Call] = [
            .createDirectory(.with { $0.path = path }), .removeDirectory(.with { $0.path = path }),
            .removeDirectory(
                .with {
                    ($0.path, $0.withChildren) = (path, true)
                }), .listFiles(.with { $0.directory = path }), .getFile(.with { $0.path = path }),
            .getFileUsage(.init()),
            .saveFile(.with { $0.path = path }), .appendFile(.with { $0.path = path }),
            .readFile(.with { $0.path = path }), .deleteFile(.with { $0.path = path }),
            .moveFile(
                .with {
                    ($0.origin, $0.place) = (path, path)
                }),
            .copyFile(
                .with {
                    ($0.origin, $0.place) = (path, path)
                }),
        ]
        let accounts = AccountDirectory(user: { _ in nil }, group: { _ in nil })
        for call in calls {
            guard case .refused(_, _, let failure) = try parse(call, []) else {
                Issue.record("\(call) was not refused")
                continue
            }
            let text = try #require(failure.message.firstMatch(of: /"(.*)"/), "\(failure.message)").output.1
            let granted = String(text).replacing("NAME", with: "document/d")
            let rule = try AccessRule(parsing: granted, accounts: accounts)
            #expect(reason(try parse(call, rule.rights)) == nil, "\(call): \(failure.message)")
        }
    }

    @Test func `an error contains no name, and proposes the whole area only if no name is enough`() throws {
        let refused: [(WireRequest.OneOf_Call, [AccessRight], String)] = [
            (set("private"), notes, "\"user:1000 scenes:write:NAME\" for only the scene NAME"),
            (set("private"), [], "\"user:1000 scenes:write:NAME\" for only the scene NAME"),
            (set(""), notes, "\"user:1000 scenes:write\""), (.listScenes(.init()), notes, "\"user:1000 scenes:read\""),
            (.getLog(.with { $0.name = "private" }), [], "\"user:1000 logs:read:NAME\" for only the log NAME"),
            (
                .readBlobExport(.with { $0.session = 1 }), [],
                "\"user:1000 blobs:read:NAME,messages:read\" for only the conversation with the session id NAME"
            ),
        ]
        for (call, rights, hint) in refused {
            guard case .refused(_, _, let failure) = try parse(call, rights) else {
                Issue.record("\(call) was not refused")
                continue
            }
            #expect(failure.message.hasSuffix("such as \(hint)"), "\(failure.message)")
            #expect(!failure.message.contains("private"))
        }
    }

    @Test func `listing names needs the whole area`() throws {
        #expect(reason(try parse(.listScenes(.init()), notes)) == .permissionDenied)
        #expect(reason(try parse(.listScenes(.init()), [.read(.scenes, nil)])) == nil)
    }

    @Test func `a right to read does not allow writes`() throws {
        let pattern = try #require(NamePattern("*"))
        #expect(reason(try parse(set("a"), [.read(.scenes, pattern)])) == .permissionDenied)
        #expect(reason(try parse(set("a"), [])) == .permissionDenied)
    }

    @Test func `a right to some logs allows every call about these and about no others`() throws {
        let pattern = try #require(NamePattern("audit/*"))
        let reads: [AccessRight] = [.read(.logs, pattern)]
        let writes: [AccessRight] = [.write(.logs, pattern)]
        let names: KeyValuePairs<String, ErrorReason?> = [
            "audit/door": nil, "audits": .permissionDenied, "": .invalidArgument,
        ]
        for (name, expected) in names {
            let read: [WireRequest.OneOf_Call] = [
                .getLog(.with { $0.name = name }), .readLog(.with { $0.name = name }),
                .readLog(
                    .with {
                        $0.name = name
                        $0.waitMilliseconds = 1_000
                    }),
            ]
            let write: [WireRequest.OneOf_Call] = [
                .openLog(
                    .with {
                        $0.name = name
                        $0.maximumBytes = 1_000
                    }),
                .appendLog(
                    .with {
                        $0.name = name
                        $0.messages = [Data([1])]
                    }),
                .deleteLog(.with { $0.name = name }),
            ]
            for call in read {
                #expect(reason(try parse(call, reads)) == expected, "\(call)")
                #expect(reason(try parse(call, writes)) != nil, "\(call)")
            }
            for call in write {
                #expect(reason(try parse(call, writes)) == expected, "\(call)")
                #expect(reason(try parse(call, reads)) != nil, "\(call)")
            }
        }
        #expect(reason(try parse(.listLogs(.init()), reads)) == .permissionDenied)
        #expect(reason(try parse(.listLogs(.init()), [.read(.logs, nil)])) == nil)
    }

    @Test func `a right to blobs of some conversations covers their session ids only`() throws {
        let pattern = try #require(NamePattern("team-*"))
        let rights: [AccessRight] = [.read(.blobs, pattern), .read(.messages, nil)]
        func export(_ change: (inout WireBeginBlobExportRequest) -> Void) throws -> ErrorReason? {
            var call = WireBeginBlobExportRequest()
            change(&call)
            return reason(try parse(.beginBlobExport(call), rights))
        }
        #expect(try export { $0.conversation.sessionID = "team-1" } == nil)
        #expect(try export { $0.conversation.sessionID = "private" } == .permissionDenied)
        #expect(try export { $0.conversation.id = "team-1" } == .permissionDenied)
        let write = WireBeginBlobImportRequest.with {
            $0.conversation.sessionID = "team-1"
            $0.importID = "i"
        }
        #expect(reason(try parse(.beginBlobImport(write), rights)) == .permissionDenied)
    }
}
