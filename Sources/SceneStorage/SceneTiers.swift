import StoreClient

/// What is known of the values of the scenes that this process has open: each scene's own, and what all share. A read
/// by any of them sees what any of them has set.
struct SceneTiers {
    private var own: [ExactName: [ExactName: SceneValue]] = [:]
    private var shared: [ExactName: SceneValue] = [:]

    func value(_ scene: ExactName, _ key: ExactName) -> SceneValue? {
        own[scene]?[key] ?? shared[key]
    }

    func hasOwnValue(_ scene: ExactName, _ key: ExactName) -> Bool {
        own[scene]?[key] != nil
    }

    /// Every value that the scene sees.
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

    /// Changes that were made before the scene was closed and opened again, oldest first: what all share knows of them.
    mutating func remember(_ changes: [SceneChange], _ scene: ExactName) {
        for change in changes {
            switch change {
            case .set(let key, let value): own[scene, default: [:]][ExactName(key)] = value
            case .remove(let key): own[scene]?[ExactName(key)] = nil
            }
        }
    }

    /// The scene is not open any more. What it knew of the shared values others may still use.
    mutating func forget(_ scene: ExactName) {
        own[scene] = nil
    }

    /// What the daemon has of a scene, where this process has no newer change under way.
    ///
    /// - Parameter keys: those that were asked for; `nil`: every key.
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
                // What is shared does not show behind it.
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
