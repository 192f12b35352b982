import StoreClient

/// The state of an open scene, with the keys that must be read again because other processes changed them.
struct OpenScene {
    /// The most keys that are read in one request.
    private static let refreshKeysMax = 500

    /// The number of objects that have the scene open.
    var memberCount = 0
    /// True if the scene has been read and is being followed.
    private(set) var isOpen = false
    /// The tasks that wait while another task opens the scene.
    var openingWaiters: [SceneMemory.Sleeper] = []
    private(set) var isReading = false
    var followError: StoreClientError?
    /// The keys that other processes changed and that are not being read yet, each with the revision of the change.
    private var stale: [ExactName: UInt64] = [:]
    private var isAllStale = false
    /// The keys that were read while this process was writing them, each with the revision of the change that caused
    /// the read.
    private var postponed: [ExactName: UInt64] = [:]

    var isStale: Bool { isOpen && (isAllStale || !stale.isEmpty) }

    mutating func mark(_ key: ExactName, _ revision: UInt64) {
        stale[key] = max(stale[key] ?? 0, revision)
    }

    mutating func markEverything() {
        isAllStale = true
    }

    /// Remembers keys that were read while this process was writing them, so that they are read again after the write.
    /// The values of this read cannot be used, because it is unknown which of the two changes the daemon made last:
    /// this process's change, or the change of another process that caused the read.
    mutating func postpone(_ keys: Set<ExactName>, of refresh: SceneRefresh) {
        switch refresh {
        case .everything:
            for key in keys {
                postponed[key] = .max
            }
        case .keys(let marks):
            for (key, revision) in marks where keys.contains(key) {
                postponed[key] = max(postponed[key] ?? 0, revision)
            }
        }
    }

    /// Marks the postponed keys as stale, because the writes have ended.
    mutating func resumePostponed() {
        stale.merge(postponed) { max($0, $1) }
        postponed = [:]
    }

    /// Removes the stale mark of a key after this process has changed the key. Keeps the mark if another process has
    /// changed the key after `revision`, the revision of this process's change.
    mutating func clearStaleMark(_ key: ExactName, _ revision: UInt64) {
        if let other = stale[key], other <= revision {
            stale[key] = nil
        }
    }

    mutating func beginRefresh() -> SceneRefresh? {
        guard isStale else { return nil }
        isReading = true
        if isAllStale {
            isAllStale = false
            stale = [:]
            return .everything
        }
        let refreshed = stale.prefix(Self.refreshKeysMax)
        for key in refreshed.map(\.key) {
            stale[key] = nil
        }
        return .keys(Dictionary(uniqueKeysWithValues: refreshed.map { ($0.key, $0.value) }))
    }

    /// Marks the scene as open.
    ///
    /// - Returns: the tasks that waited for the scene to be opened.
    mutating func open() -> [SceneMemory.Sleeper] {
        isOpen = true
        return removeOpeningWaiters()
    }

    mutating func removeOpeningWaiters() -> [SceneMemory.Sleeper] {
        defer { openingWaiters = [] }
        return openingWaiters
    }

    mutating func wasRead() {
        isReading = false
        followError = nil
    }

    mutating func readFailed(_ refresh: SceneRefresh, _ error: StoreClientError) {
        isReading = false
        followError = error
        switch refresh {
        case .everything: isAllStale = true
        case .keys(let marks): stale.merge(marks) { max($0, $1) }
        }
    }
}

/// A read that the writer makes: of all values of a scene, or of the values of some keys.
struct SceneReading: Sendable {
    let scene: ExactName
    let refresh: SceneRefresh
}

/// The keys that a read covers.
enum SceneRefresh: Sendable {
    /// The keys, each with the revision of the change that caused the read.
    case keys([ExactName: UInt64])
    case everything

    /// The keys as an argument of `SceneAccess.values`.
    var keys: [String] {
        if case .keys(let marks) = self { marks.keys.map(\.text) } else { [] }
    }
}
