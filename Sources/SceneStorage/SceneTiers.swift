import StoreClient

/// The known values of the scenes that this process has open: each scene's own values, and the values that all scenes
/// share. If a scene sets a shared value, a read in any other scene sees it.
struct SceneTiers {
    private var own: [ExactName: [ExactName: SceneValue]] = [:]
    private var shared: [ExactName: SceneValue] = [:]

    func value(_ scene: ExactName, _ key: ExactName) -> SceneValue? {
        own[scene]?[key] ?? shared[key]
    }

    func hasOwnValue(_ scene: ExactName, _ key: ExactName) -> Bool {
        own[scene]?[key] != nil
    }

    /// Returns every value that the scene sees.
    func values(_ scene: ExactName) -> [ExactName: SceneValue] {
        shared.merging(own[scene] ?? [:]) { $1 }
    }

    var valueCount: Int {
        own.values.reduce(shared.count) { $0 + $1.count }
    }

    mutating func apply(_ change: SceneChange, _ scene: ExactName) {
        let key = ExactName(change.key)
        switch change {
        case .set(_, let value):
            own[scene, default: [:]][key] = value
            shared[key] = value
        case .remove:
            own[scene]?[key] = nil
            shared[key] = nil
        }
    }

    /// Applies unwritten changes, oldest first, to a scene that was closed and opened again. The shared values already
    /// include these changes.
    mutating func remember(_ changes: [SceneChange], _ scene: ExactName) {
        for change in changes {
            switch change {
            case .set(let key, let value): own[scene, default: [:]][ExactName(key)] = value
            case .remove(let key): own[scene]?[ExactName(key)] = nil
            }
        }
    }

    /// Forgets the values of a scene that is no longer open. Shared values stay, because other scenes may use them.
    mutating func forget(_ scene: ExactName) {
        own[scene] = nil
    }

    /// Adopts the daemon's values of a scene, except at positions where this process has an unwritten change.
    ///
    /// - Parameter keys: the requested keys; `nil` for all keys.
    mutating func adopt(
        _ entries: [SceneEntry], _ scene: ExactName, keys: [ExactName]?, isUnwritten: (ScenePlace) -> Bool
    ) {
        for key in keys ?? Array(values(scene).keys) {
            if !isUnwritten(ScenePlace(scene: scene, key: key)) {
                own[scene]?[key] = nil
            }
        }
        var sharedKeys = Set(keys ?? Array(shared.keys))
        for entry in entries {
            let key = ExactName(entry.key)
            if entry.tier == .scene {
                // If the scene has its own value, the daemon does not return the shared value. Keep the shared value
                // that is known here.
                sharedKeys.remove(key)
                if !isUnwritten(ScenePlace(scene: scene, key: key)) {
                    own[scene, default: [:]][key] = entry.value
                }
            } else if !isUnwritten(ScenePlace(scene: nil, key: key)) {
                sharedKeys.remove(key)
                shared[key] = entry.value
            }
        }
        for key in sharedKeys where !isUnwritten(ScenePlace(scene: nil, key: key)) {
            shared[key] = nil
        }
    }
}
