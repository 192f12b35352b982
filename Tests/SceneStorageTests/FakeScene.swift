import Synchronization

@testable import SceneStorage
@testable import StoreClient

/// Scenes in memory that behave as in the daemon, and reject requests when the test asks for it.
final class FakeScene: SceneAccess {
    private struct Content {
        var own: [String: [String: SceneValue]] = [:]
        var shared: [String: SceneValue] = [:]
        var requests: [[String]] = []
        var failures: [StoreClientError] = []
        var revisions: [IdempotencyKey: UInt64] = [:]
    }

    /// The length in bytes of the longest text that a request may set. A read of more than `keysMax` keys is also
    /// rejected.
    private let textBytesMax: Int
    private let keysMax: Int
    private let content = Mutex(Content())

    init(textBytesMax: Int = .max, keysMax: Int = .max) {
        self.textBytesMax = textBytesMax
        self.keysMax = keysMax
    }

    /// Makes the next requests fail with these errors, in order, whatever they ask for.
    func failNext(_ errors: [StoreClientError]) {
        content.withLock { $0.failures = errors }
    }

    /// The values that all scenes share. For each key, it is the last value that any scene has set.
    var values: [String: SceneValue] {
        content.withLock { $0.shared }
    }

    func ownValues(_ scene: String) -> [String: SceneValue] {
        content.withLock { $0.own[scene] ?? [:] }
    }

    /// The sorted keys of every request received.
    var requests: [[String]] {
        content.withLock { $0.requests }
    }

    func set(
        _ scene: String, _ changes: [SceneChange], key: IdempotencyKey
    ) async throws(StoreClientError) -> UInt64 {
        try content.withLock { (content) throws(StoreClientError) in
            content.requests.append(changes.map(\.key).sorted())
            let refused = changes.contains { change in
                if case .set(_, .string(let text)) = change { text.utf8.count > textBytesMax } else { false }
            }
            if refused {
                throw StoreClientError(code: .invalidArgument, reason: .invalidArgument, message: "too large")
            }
            if !content.failures.isEmpty {
                throw content.failures.removeFirst()
            }
            if let revision = content.revisions[key] {
                return revision
            }
            for change in changes {
                switch change {
                case .set(let key, let value):
                    content.own[scene, default: [:]][key] = value
                    content.shared[key] = value
                case .remove(let key):
                    content.own[scene]?[key] = nil
                    content.shared[key] = nil
                }
            }
            let revision = UInt64(content.requests.count)
            content.revisions[key] = revision
            return revision
        }
    }

    func values(_ scene: String, _ keys: [String]) async throws(StoreClientError) -> [SceneEntry] {
        try content.withLock { (content) throws(StoreClientError) in
            if keys.count > keysMax {
                throw StoreClientError(code: .resourceExhausted, reason: .responseTooLarge, message: "too large")
            }
            let own = content.own[scene] ?? [:]
            let merged = content.shared.merging(own) { $1 }
            return merged.filter { keys.isEmpty || keys.contains($0.key) }.map { key, value in
                SceneEntry(
                    key: key, value: value, tier: own[key] == nil ? .global : .scene, revision: 1, updatedAt: .now)
            }
        }
    }
}
