package import StoreBasics

/// The tiers that a request uses. A scene has values of its own, and the global tier has values that all scenes share.
package enum SceneTiers: Hashable, Sendable {
    /// The scene and the global tier. A read returns the global value of a key that the scene lacks; a write changes
    /// both tiers.
    case sceneAndGlobal(SceneName)
    /// Only the scene, for callers that have no right to the shared values.
    case sceneOnly(SceneName)
    /// Only the shared values.
    case globalOnly

    /// The name of the tier to which conditions, counts and revisions refer: the scene, or the global tier if the
    /// request uses no scene.
    package var own: String {
        switch self {
        case .sceneAndGlobal(let scene), .sceneOnly(let scene): scene.text
        case .globalOnly: Self.globalScene
        }
    }

    /// The name of the tier for keys that `own` lacks; `nil` for none.
    var fallback: String? {
        if case .sceneAndGlobal = self { Self.globalScene } else { nil }
    }

    /// The same tiers, but without the global tier if there is a scene.
    package var withoutGlobal: SceneTiers {
        if case .sceneAndGlobal(let scene) = self { .sceneOnly(scene) } else { self }
    }

    /// The name of the global tier in tables and changes. No scene has an empty name.
    package static let globalScene = ""
}

package enum SceneTier: Hashable, Sendable {
    case scene
    case global
}

/// A change of one key: sets or removes its value.
package struct SceneChange: Hashable, Sendable {
    package var key: SceneKey
    /// The value; `nil` removes the key. The caller defines the encoding; equal values must have equal bytes. It has at
    /// most `EngineLimits.sceneValueBytesMax` bytes.
    package var value: [UInt8]?

    package init(key: SceneKey, value: [UInt8]?) {
        self.key = key
        self.value = value
    }
}

/// A condition that must hold before the first change of a request.
package struct SceneCondition: Hashable, Sendable {
    package var key: SceneKey
    /// The revision at which the value was set; `nil` if there must be no value.
    package var revision: UInt64?

    package init(key: SceneKey, revision: UInt64?) {
        self.key = key
        self.revision = revision
    }
}

/// A key and its value as readers get them.
package struct SceneEntry: Hashable, Sendable {
    package var key: SceneKey
    package var tier: SceneTier
    /// The store's revision at which the value was set.
    package var revision: UInt64
    package var updatedAt: Timestamp
    /// The value; `nil` if only keys were requested.
    package var value: [UInt8]?
}

package struct SceneValueQuery: Hashable, Sendable {
    package var tiers: SceneTiers
    package var selection: Selection
    package var keysOnly: Bool

    package enum Selection: Hashable, Sendable {
        /// 1 to `EngineLimits.pageRowsMax` different keys. Missing ones are left out.
        case keys([SceneKey])
        /// All keys in the order of their bytes, after a page's cursor; `limit` is 1 to `EngineLimits.pageRowsMax`.
        case page(limit: Int, cursor: String?)
    }

    package init(_ tiers: SceneTiers, _ selection: Selection, keysOnly: Bool = false) {
        self.tiers = tiers
        self.selection = selection
        self.keysOnly = keysOnly
    }
}

package struct SceneEntryPage: Hashable, Sendable {
    package var entries: [SceneEntry]
    /// The store's revision at the time of the read.
    package var revision: UInt64
    /// The history to which the revisions belong.
    package var history: HistoryID
    /// The cursor of the next page; `nil` on the last page.
    package var nextCursor: String?

    package init(entries: [SceneEntry], revision: UInt64, history: HistoryID, nextCursor: String? = nil) {
        self.entries = entries
        self.revision = revision
        self.history = history
        self.nextCursor = nextCursor
    }
}

/// A scene that has values of its own.
package struct SceneSummary: Hashable, Sendable {
    package var scene: SceneName
    package var keyCount: Int
    /// The time at which a value of the scene was last set.
    package var updatedAt: Timestamp
}

package struct SceneSummaryPage: Hashable, Sendable {
    package var scenes: [SceneSummary]
    /// The cursor of the next page; `nil` on the last page.
    package var nextCursor: String?

    package init(scenes: [SceneSummary], nextCursor: String? = nil) {
        self.scenes = scenes
        self.nextCursor = nextCursor
    }
}
