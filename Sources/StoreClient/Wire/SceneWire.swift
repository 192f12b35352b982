import FoundationEssentials
import StoreProtocol
import SwiftProtobuf

extension SceneValue {
    /// - Throws: `.answerUnreadable` for a kind that a newer daemon may have kept.
    init(_ wire: WireSceneValue) throws(StoreClientError) {
        switch wire.kind {
        case .string(let text): self = .string(text)
        case .integer(let number): self = .integer(number)
        case .float(let number): self = .float(number)
        case .double(let number): self = .double(number)
        case .boolean(let truth): self = .bool(truth)
        case .url(let text): self = .url(text)
        case .data(let bytes): self = .data([UInt8](bytes))
        case .dateMicroseconds(let microseconds): self = .date(Timestamp(microseconds: microseconds))
        case .array(let array):
            var values: [SceneValue] = []
            values.reserveCapacity(array.values.count)
            for value in array.values {
                values.append(try SceneValue(value))
            }
            self = .array(values)
        case .dictionary(let dictionary):
            var values = SceneDictionary()
            for entry in dictionary.entries {
                values[entry.key] = try SceneValue(entry.value)
            }
            self = .dictionary(values)
        case nil:
            throw .answerUnreadable("the kind of a value is unknown to this client")
        }
    }
}

extension WireSceneValue {
    init(_ value: SceneValue) {
        self.init()
        switch value {
        case .string(let text): kind = .string(text)
        case .integer(let number): kind = .integer(number)
        case .float(let number): kind = .float(number)
        case .double(let number): kind = .double(number)
        case .bool(let truth): kind = .boolean(truth)
        case .url(let text): kind = .url(text)
        case .data(let bytes): kind = .data(Data(bytes))
        case .date(let timestamp): kind = .dateMicroseconds(timestamp.microseconds)
        case .array(let values): kind = .array(.with { $0.values = values.map(WireSceneValue.init) })
        case .dictionary(let values):
            // In one order, whichever a process would have it in: an idempotency key stands for these very bytes.
            let entries = values.map { key, value in
                WireSceneDictionaryEntry.with {
                    $0.key = key
                    $0.value = WireSceneValue(value)
                }
            }
            kind = .dictionary(.with { $0.entries = entries })
        }
    }
}

extension WireSetSceneValuesRequest {
    init(_ changes: [SceneChange], _ conditions: [SceneCondition]) {
        self.init()
        self.changes = changes.map { change in
            .with {
                $0.key = change.key
                if case .set(_, let value) = change {
                    $0.value = WireSceneValue(value)
                }
            }
        }
        self.conditions = conditions.map { condition in
            .with {
                switch condition {
                case .absent(let key):
                    $0.key = key
                    $0.absent = true
                case .revision(let key, let revision):
                    $0.key = key
                    $0.revision = revision
                }
            }
        }
    }
}

extension SceneEntryPage {
    init(_ wire: WireGetSceneValuesResponse) throws(StoreClientError) {
        var entries: [SceneEntry] = []
        entries.reserveCapacity(wire.entries.count)
        for entry in wire.entries {
            entries.append(try SceneEntry(entry))
        }
        self.init(
            entries: entries, revision: wire.revision, historyID: HistoryID(bytes: wire.historyID),
            nextCursor: wire.nextCursor.isEmpty ? nil : wire.nextCursor)
    }
}

extension SceneEntry {
    init(_ wire: WireSceneEntry) throws(StoreClientError) {
        self.init(
            key: wire.key, value: wire.hasValue ? try SceneValue(wire.value) : nil,
            tier: SceneTier(wire.tier), revision: wire.revision,
            updatedAt: Timestamp(microseconds: wire.updatedAtMicroseconds))
    }
}

extension SceneTier {
    init(_ wire: WireSceneTier) {
        switch wire {
        case .scene: self = .scene
        case .global: self = .global
        case .unspecified, .UNRECOGNIZED: self = .unknown
        }
    }
}

extension ScenePage {
    init(_ wire: WireListScenesResponse) {
        let scenes = wire.scenes.map { scene in
            SceneSummary(
                scene: scene.scene, keyCount: Int(clamping: scene.keyCount),
                updatedAt: Timestamp(microseconds: scene.updatedAtMicroseconds))
        }
        self.init(scenes: scenes, nextCursor: wire.nextCursor.isEmpty ? nil : wire.nextCursor)
    }
}
