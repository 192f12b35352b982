import StoreClient
import Synchronization

/// The hubs of this process: one for each client that has a scene open.
enum SceneHubs {
    private struct Entry {
        weak var hub: SceneHub?
    }

    private static let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    static func open(_ scene: ExactName, _ client: StoreClient) async throws(StoreClientError) -> SceneState {
        // A scene always shows the current store. Therefore ignore the history that the client may expect.
        let client = client.with(history: nil)
        let hub = hub(of: client)
        defer { hub.endOpening() }
        let member = try await OpeningDeadline.run(client.readDeadline) { () throws(StoreClientError) in
            try await hub.open(scene, client)
        }
        return SceneState(hub: hub, scene: scene, member: member)
    }

    /// Returns the hub of a client, in which one more opening has begun; creates a hub if the client has none in use.
    /// The caller must call `endOpening`.
    private static func hub(of client: StoreClient) -> SceneHub {
        entries.withLock { entries in
            if let hub = entries[client.identity]?.hub, hub.beginOpening() {
                return hub
            }
            let hub = SceneHub()
            precondition(hub.beginOpening(), "a new hub must accept its first opening")
            entries = entries.filter { $0.value.hub != nil }
            entries[client.identity] = Entry(hub: hub)
            hub.startWriting(ClientSceneAccess(client: client.asConnected))
            return hub
        }
    }
}
