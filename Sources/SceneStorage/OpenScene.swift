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

    var isStale: Bool { isOpen && (isAllStale || !stale.isEmpty) }

    mutating func mark(_ key: ExactName, _ revision: UInt64) {
        stale[key] = max(stale[key] ?? 0, revision)
    }

    mutating func markEverything() {
        isAllStale = true
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
