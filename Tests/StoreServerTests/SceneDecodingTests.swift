import StoreBasics
import StoreProtocol
import SwiftProtobuf
import Testing

@testable import StoreEngine
@testable import StoreServer

private func decode(_ kind: CallKind, _ message: some SwiftProtobuf.Message) throws -> Command {
    let bytes: [UInt8] = try message.serializedBytes()
    return try bytes.withUnsafeBytes { try kind.rule.decode(CallBytes($0)) }
}

private func refusal(_ kind: CallKind, _ message: some SwiftProtobuf.Message) -> ErrorReason? {
    do {
        _ = try decode(kind, message)
        return nil
    } catch {
        return (error as? StoreError)?.reason
    }
}

@Suite struct SceneDecodingTests {
    @Test func `changes and conditions are decoded in order`() throws {
        let request = WireSetSceneValuesRequest.with {
            $0.scene = "main"
            $0.changes = [
                .with {
                    $0.key = "a"
                    $0.value = .with { $0.integer = -1 }
                }, .with { $0.key = "b" },
            ]
            $0.conditions = [
                .with {
                    $0.key = "a"
                    $0.absent = true
                },
                .with {
                    $0.key = "b"
                    $0.revision = 7
                },
            ]
        }
        guard
            case .mutation(.setSceneValues(let tiers, let changes, let conditions), _) = try decode(
                .setSceneValues, request)
        else {
            Issue.record("not the mutation asked for")
            return
        }
        #expect(tiers == .sceneAndGlobal(try SceneName("main")))
        #expect(changes.map(\.key.text) == ["a", "b"])
        #expect(changes.map(\.value) == [[0x10, 0x01], nil])
        #expect(conditions.map(\.revision) == [nil, 7])
    }

    @Test func `contradictory or incomplete requests are rejected`() {
        let both = WireSetSceneValuesRequest.with {
            $0.scene = "main"
            $0.global = true
            $0.changes = [.with { $0.key = "a" }]
        }
        #expect(refusal(.setSceneValues, both) == .invalidArgument)
        #expect(refusal(.setSceneValues, WireSetSceneValuesRequest()) == .invalidArgument)
        let noKey = WireSetSceneValuesRequest.with {
            $0.scene = "main"
            $0.changes = [.init()]
        }
        #expect(refusal(.setSceneValues, noKey) == .invalidArgument)
        let noCondition = WireSetSceneValuesRequest.with {
            $0.scene = "main"
            $0.conditions = [.with { $0.key = "a" }]
        }
        #expect(refusal(.setSceneValues, noCondition) == .invalidArgument)
        let keysAndLimit = WireGetSceneValuesRequest.with {
            $0.scene = "main"
            $0.keys = ["a"]
            $0.limit = 1
        }
        #expect(refusal(.getSceneValues, keysAndLimit) == .invalidArgument)
        let twoFilters = WireWatchRequest.with {
            $0.scene = "main"
            $0.conversationID = "c"
        }
        #expect(refusal(.watch, twoFilters) == .invalidArgument)
    }

    @Test func `the filter of a scene matches its values and the global ones`() {
        func change(_ kind: EntityKind, _ parent: String) -> Change {
            Change(
                revision: 1, kind: kind, operation: .updated, id: "main", parent: parent,
                committedAt: Timestamp(microseconds: 0))
        }
        let filter = ChangeFilter(scene: "main")
        #expect(filter.matches(change(.sceneValue, "main")))
        #expect(filter.matches(change(.sceneValue, "")))
        #expect(filter.matches(change(.store, "")))
        #expect(!filter.matches(change(.sceneValue, "other")))
        #expect(!filter.matches(change(.message, "main")))
        #expect(!filter.matches(change(.contact, "")))
        #expect(!ChangeFilter(conversationID: "main").matches(change(.sceneValue, "main")))
    }
}
