import StoreClient

/// What is to be read again of one scene, because others changed it.
struct OpenScene {
    /// Keys that share a read at most.
    private static let refreshKeysMax = 500

    /// Objects that show the scene.
    var memberCount = 0
    /// It has been read, and is followed.
    private(set) var isOpen = false
    /// Who wants it while somebody else opens it.
    var openingWaiters: [SceneMemory.Sleeper] = []
    private(set) var isReading = false
    var followError: StoreClientError?
    /// Keys that others changed and that nobody reads yet, with the revision.
    private var stale: [ExactName: UInt64] = [:]
    private var isAllStale = false
    /// Keys that were read while they were being written, with the revision that was heard of.
    private var postponed: [ExactName: UInt64] = [:]

    var isStale: Bool { isOpen && (isAllStale || !stale.isEmpty) }

    mutating func mark(_ key: ExactName, _ revision: UInt64) {
        stale[key] = max(stale[key] ?? 0, revision)
    }

    mutating func markEverything() {
        isAllStale = true
    }

    /// What was read of keys that were being written meanwhile counts for nothing: they are read again afterwards, as
    /// the daemon may have made the change before the one that was heard of.
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

    /// What was being written is, or never will be.
    mutating func resumePostponed() {
        stale.merge(postponed) { max($0, $1) }
        postponed = [:]
    }

    /// A change of this process to the key has the revision: what others did before it is of no matter.
    mutating func settle(_ key: ExactName, _ revision: UInt64) {
        if let other = stale[key], other <= revision {
            stale[key] = nil
        }
    }

    mutating func takeRefresh() -> SceneRefresh? {
        guard isStale else { return nil }
        isReading = true
        if isAllStale {
            isAllStale = false
            stale = [:]
            return .everything
        }
        let taken = stale.prefix(Self.refreshKeysMax)
        for key in taken.map(\.key) {
            stale[key] = nil
        }
        return .keys(Dictionary(uniqueKeysWithValues: taken.map { ($0.key, $0.value) }))
    }

    /// - Returns: those that waited for it.
    mutating func open() -> [SceneMemory.Sleeper] {
        isOpen = true
        return takeOpeningWaiters()
    }

    mutating func takeOpeningWaiters() -> [SceneMemory.Sleeper] {
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

/// What is read of a scene.
struct SceneReading: Sendable {
    let scene: ExactName
    let refresh: SceneRefresh
}

/// What is read again because others changed it.
enum SceneRefresh: Sendable {
    /// Keys, each with the revision of the change that was heard of.
    case keys([ExactName: UInt64])
    case everything

    /// As `SceneAccess.values` takes them.
    var keys: [String] {
        if case .keys(let marks) = self { marks.keys.map(\.text) } else { [] }
    }
}
