public import StoreClient

/// The state of one scene: typed values under keys, held in memory and stored by the daemon.
///
/// Reading a key returns the scene's own value, otherwise the value that all scenes share (the value that any scene has
/// set last), otherwise the registered default. Setting a key sets the scene's own value and the shared value; removing
/// a key removes both. Keys are compared byte by byte. Reads and writes are synchronous. All objects of a process that
/// use the same client share one memory: if one object sets a value, all objects of this scene and of scenes without a
/// value of their own return it immediately.
///
/// Writes reach the daemon in the order in which they were made. If several changes to one key are waiting, only the
/// last one is written. `flush()` waits for the writes. Changes of other processes in the scene arrive automatically,
/// unless this process has a newer change that is not written yet. To receive them, the client needs the right
/// `changes:read` in addition to `scenes:readwrite`. Without it, changes of other processes become visible only when
/// the scene is opened again.
///
/// ```swift
/// let scene = try await SceneStorage(client: store, sceneID: "main-window")
/// scene.set("Alice", forKey: "user_name")
/// let name = scene.string(forKey: "user_name")
/// try await scene.close()
/// ```
///
/// While the daemon cannot be reached, reads and changes continue in memory. The changes are written when the daemon
/// is back; until then `lastError` reports the problem. Changes that the daemon rejects (a value too large, no right to
/// the scene) are reverted in memory, and reported by `lastError` and by the next `flush()`.
///
/// An object may be used from any thread. `close()` writes the remaining changes; an object that is released without it
/// also tries to write them.
public final class SceneStorage: Sendable {
    /// The name of the scene.
    public let sceneID: String

    let state: SceneState

    /// Reads the scene and starts to follow it. A scene that this process already has open with the same client is
    /// available at once.
    ///
    /// - Parameters:
    ///   - client: a client that the caller keeps open while this object is used. Its deadline applies only to the
    ///     opening. Later writes and reads are retried if they fail. A history that the client expects
    ///     (`with(history:)`) is ignored: a scene continues with a backup that replaces the store.
    ///   - sceneID: 1 to 256 bytes. A scene that does not exist begins with the values that all scenes share.
    /// - Throws: the error for which the scene could not be read; `.cancelled` if the task is cancelled.
    public init(client: StoreClient, sceneID: String) async throws(StoreClientError) {
        self.sceneID = sceneID
        state = try await SceneHubs.open(ExactName(sceneID), client)
    }

    /// Waits until every change made so far is on the daemon's disk.
    ///
    /// - Throws: the error for which a change was not written. The change either stays in memory and is retried, or was
    ///   rejected and reverted. Each error is thrown to the callers that wait when it happens; if none waits, to the
    ///   next caller.
    public func flush() async throws(StoreClientError) {
        try await state.waitUntilWritten()
    }

    /// Writes the remaining changes and stops following the scene. Values can still be read; later changes are
    /// rejected.
    ///
    /// - Throws: as `flush()`. Changes that could not be written are then lost, unless other objects of the same client
    ///   are open, whose shared memory keeps them until they can be written.
    public func close() async throws(StoreClientError) {
        state.close()
        try await state.waitUntilWritten()
    }

    /// The last error that prevented writing a change or following the scene; `nil` after writing and following succeed
    /// again.
    public var lastError: StoreClientError? {
        state.lastError
    }

    /// The number of changes that are not on the daemon's disk yet.
    public var unwrittenCount: Int {
        state.unwrittenCount
    }
}
