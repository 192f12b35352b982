internal import StoreClient

/// What a scene's writer does next.
enum SceneWork {
    case write(SceneBatch)
    case refresh(SceneRefresh)
    case end
}

/// What one call of a user changes: written whole or not at all.
struct SceneChangeSet: Sendable {
    /// Counts the calls, in the order made.
    let number: UInt64
    let changes: [SceneChange]
}

/// Change sets that share a request.
struct SceneBatch: Sendable {
    /// In the order made; not empty.
    let sets: ArraySlice<SceneChangeSet>

    /// Only the last change to a key counts.
    var changes: [SceneChange] {
        var seen: Set<String> = []
        return sets.flatMap(\.changes).reversed().filter { seen.insert($0.key).inserted }.reversed()
    }

    /// The last of them.
    var number: UInt64 { sets.last?.number ?? 0 }

    /// `nil` when there is one set, which is never taken apart.
    var halves: (earlier: SceneBatch, later: SceneBatch)? {
        guard sets.count > 1 else { return nil }
        let middle = sets.startIndex + sets.count / 2
        return (SceneBatch(sets: sets[..<middle]), SceneBatch(sets: sets[middle...]))
    }
}

/// What is read again because others changed it.
enum SceneRefresh: Sendable {
    /// Keys, each with the revision of the change that was heard of.
    case keys([String: UInt64])
    case everything

    /// As `SceneAccess.values` takes them.
    var keys: [String] {
        if case .keys(let marks) = self { Array(marks.keys) } else { [] }
    }
}
