import StoreClient
import Synchronization

/// One object's view of a scene: its own defaults, and the memory that it shares with the other objects of its client.
final class SceneState: Sendable {
    private struct Own {
        var defaults: [ExactName: SceneValue] = [:]
        /// The values at the time when the object was closed; `nil` while the object is open.
        var closed: [ExactName: SceneValue]?
    }

    private let hub: SceneHub
    private let scene: ExactName
    private let member: SceneMember
    private let own = Mutex(Own())

    init(hub: SceneHub, scene: ExactName, member: SceneMember) {
        self.hub = hub
        self.scene = scene
        self.member = member
    }

    deinit {
        hub.leave(member)
        hub.forget(member)
    }

    func value(_ key: String) -> SceneValue? {
        let key = ExactName(key)
        return own.withLock { own in
            let value = own.closed.map { $0[key] } ?? hub.value(scene, key)
            return value ?? own.defaults[key]
        }
    }

    /// The keys in byte order.
    var keys: [String] {
        let values = own.withLock { $0.closed ?? hub.values(scene) }
        return values.keys.sorted().map(\.text)
    }

    func change(_ change: SceneChange) {
        self.change([change])
    }

    func change(_ changes: [SceneChange]) {
        hub.change(changes, by: member)
    }

    func register(_ defaults: [String: SceneValue]) {
        own.withLock { own in
            for (key, value) in defaults {
                own.defaults[ExactName(key)] = value
            }
        }
    }

    func refuse(_ error: StoreClientError) {
        hub.refused(member, error)
    }

    var lastError: StoreClientError? {
        hub.lastError(member)
    }

    var unwrittenCount: Int {
        hub.unwrittenCount(scene)
    }

    func waitUntilWritten() async throws(StoreClientError) {
        try await hub.waitUntilWritten(member)
    }

    /// Closes the object. Its remaining changes are still written.
    func close() {
        own.withLock { own in
            own.closed = own.closed ?? hub.values(scene)
            hub.leave(member)
        }
    }
}
