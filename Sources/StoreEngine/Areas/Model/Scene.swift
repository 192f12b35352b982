package import StoreBasics

/// Which tiers a request is about.
package enum SceneTiers: Hashable, Sendable {
    /// The scene, and the global tier behind it.
    case sceneAndGlobal(SceneName)
    /// The scene alone: for callers who may not see or change what all scenes share.
    case sceneOnly(SceneName)
    /// What all scenes share.
    case globalOnly

    /// The tier whose values conditions and counts are about, by its name.
    package var own: String {
        switch self {
        case .sceneAndGlobal(let scene), .sceneOnly(let scene): scene.text
        case .globalOnly: Self.globalScene
        }
    }

    /// The tier behind it.
    var fallback: String? {
        if case .sceneAndGlobal = self { Self.globalScene } else { nil }
    }

    /// The same without what all scenes share.
    package var withoutGlobal: SceneTiers {
        if case .sceneAndGlobal(let scene) = self { .sceneOnly(scene) } else { self }
    }

    /// How the global tier is named in the tables and in changes: no scene has the empty name.
    package static let globalScene = ""
}

package enum SceneTier: Hashable, Sendable {
    case scene
    case global
}

/// One change to a scene.
package struct SceneChange: Hashable, Sendable {
    package var key: SceneKey
    /// Canonical bytes whose form is the caller's business, at most `EngineLimits.sceneValueBytesMax`: equal values
    /// have equal bytes. `nil` removes the key.
    package var value: [UInt8]?

    package init(key: SceneKey, value: [UInt8]?) {
        self.key = key
        self.value = value
    }
}

/// What must hold before the first change.
package struct SceneCondition: Hashable, Sendable {
    package var key: SceneKey
    /// The revision at which the value was set; `nil`: there is no value.
    package var revision: UInt64?

    package init(key: SceneKey, revision: UInt64?) {
        self.key = key
        self.revision = revision
    }
}

/// A key as a reader gets it.
package struct SceneEntry: Hashable, Sendable {
    package var key: SceneKey
    package var tier: SceneTier
    /// The store's revision at which the value was set.
    package var revision: UInt64
    package var updatedAt: Timestamp
    /// The bytes that were set; `nil` where only keys were asked for.
    package var value: [UInt8]?
}

/// What a reader wants of a scene.
package struct SceneValueQuery: Hashable, Sendable {
    package var tiers: SceneTiers
    package var selection: Selection
    package var keysOnly: Bool

    package enum Selection: Hashable, Sendable {
        /// 1 to `EngineLimits.pageRowsMax`, each once; those that are not there are left out.
        case keys([SceneKey])
        /// Every key by its bytes, from a page's cursor on; `limit` is 1 to `EngineLimits.pageRowsMax`.
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
    /// The store's revision when this was read.
    package var revision: UInt64
    /// The history that the revisions are of.
    package var history: HistoryID
    /// `nil` on the last page.
    package var nextCursor: String?

    package init(entries: [SceneEntry], revision: UInt64, history: HistoryID, nextCursor: String? = nil) {
        self.entries = entries
        self.revision = revision
        self.history = history
        self.nextCursor = nextCursor
    }
}

/// A scene with values of its own.
package struct SceneSummary: Hashable, Sendable {
    package var scene: SceneName
    package var keyCount: Int
    /// When one of its values was last set.
    package var updatedAt: Timestamp
}

package struct SceneSummaryPage: Hashable, Sendable {
    package var scenes: [SceneSummary]
    /// `nil` on the last page.
    package var nextCursor: String?

    package init(scenes: [SceneSummary], nextCursor: String? = nil) {
        self.scenes = scenes
        self.nextCursor = nextCursor
    }
}
