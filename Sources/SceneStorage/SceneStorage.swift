public import StoreClient

/// One scene's state: typed values under keys, held in memory and kept by the daemon.
///
/// Reading a key gives the scene's own value, else the one that some scene set last, else the registered default.
/// Setting a key sets both; removing a key removes both. Keys that differ in a byte are two keys. Reads and writes are
/// synchronous. All objects of a process over one client share one memory: what one sets, the others answer at once, in
/// the same scene and in those that have no value of their own.
///
/// Writes reach the daemon in the order made; of several to one key that wait only the last one does. `flush()` waits
/// for them. What other processes change in the scene arrives by itself, unless this process has a newer change of its
/// own under way. That needs the right `changes:read` besides `scenes:readwrite`; without it nothing is heard of others
/// until the scene is opened again.
///
/// ```swift
/// let scene = try await SceneStorage(client: store, sceneID: "main-window")
/// scene.set("Alice", forKey: "user_name")
/// let name = scene.string(forKey: "user_name")
/// try await scene.close()
/// ```
///
/// While the daemon cannot be reached everything goes on in memory, and is written when it is back; `lastError` says so
/// in the meantime. What the daemon refuses (a value too large, no right to the scene) is taken back here and reported
/// by `lastError` and by the next `flush()`.
///
/// Safe from any thread. `close()` writes what is left; an object that is dropped without it tries to as well.
public final class SceneStorage: Sendable {
    /// What the scene is called.
    public let sceneID: String

    let state: SceneState

    /// Reads the scene and starts to follow it; a scene that this process has open over the same client already is
    /// there at once.
    ///
    /// - Parameters:
    ///   - client: stays the caller's; it must be open for as long as this object is used. Its deadline is for the
    ///     opening alone: later writes and reads are made by this library, again and again where they fail. A history
    ///     that it names (`with(history:)`) is not asked for: a scene goes over to a backup that takes the store's
    ///     place.
    ///   - sceneID: 1 to 256 bytes. A scene that does not exist begins with what all scenes share.
    /// - Throws: why the scene could not be read; `.cancelled` when the task is.
    public init(client: StoreClient, sceneID: String) async throws(StoreClientError) {
        self.sceneID = sceneID
        state = try await SceneHubs.open(ExactName(sceneID), client)
    }

    /// Waits until every change made so far is on the daemon's disk.
    ///
    /// - Throws: what kept a change from being written: it stays in memory and is tried again, or was refused and taken
    ///   back. Each failure is thrown to those who wait when it happens, or else to the next one who asks.
    public func flush() async throws(StoreClientError) {
        try await state.waitUntilWritten()
    }

    /// Writes what is left and stops following the scene. Reads go on to work; later changes are refused.
    ///
    /// - Throws: as `flush()`; what could not be written then is lost, unless other objects over the same client are
    ///   open, whose memory keeps it until it can be.
    public func close() async throws(StoreClientError) {
        state.close()
        try await state.waitUntilWritten()
    }

    /// What last kept a change from being written or the scene from being followed; `nil` once that works again.
    public var lastError: StoreClientError? {
        state.lastError
    }

    /// Changes that are not on the daemon's disk yet.
    public var unwrittenCount: Int {
        state.unwrittenCount
    }
}
