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
