import StoreProtocol
import SwiftProtobuf

extension [SceneValue] {
    init(_ wire: WireSceneArray) throws(StoreClientError) {
        self = try wire.values.map { (value) throws(StoreClientError) in try SceneValue(value) }
    }
}

extension WireSceneArray {
    init(_ values: [SceneValue]) {
        self = .with { $0.values = values.map(WireSceneValue.init) }
    }
}

extension SceneDictionary {
    init(_ wire: WireSceneDictionary) throws(StoreClientError) {
        self.init()
        for entry in wire.entries {
            self[entry.key] = try SceneValue(entry.value)
        }
    }
}

extension WireSceneDictionary {
    init(_ values: SceneDictionary) {
        self.init()
        // The entries have a fixed order, because an idempotency key stands for exactly these bytes.
        entries = values.map { key, value in .with { ($0.key, $0.value) = (key, WireSceneValue(value)) } }
    }
}

extension WireSceneChange {
    init(_ change: SceneChange) {
        self.init()
        key = change.key
        if case .set(_, let value) = change {
            self.value = WireSceneValue(value)
        }
    }
}

extension WireSceneCondition {
    init(_ condition: SceneCondition) {
        self.init()
        switch condition {
        case .absent(let key): (self.key, absent) = (key, true)
        case .revision(let key, let revision): (self.key, self.revision) = (key, revision)
        }
    }
}
