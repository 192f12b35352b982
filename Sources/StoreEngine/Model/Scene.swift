/// What an application calls a scene: 1 to 256 bytes of UTF-8 without NUL. The same when its bytes are.
public struct SceneName: Hashable, Sendable {
    public static let bytesMax = 256

    public let text: String

    /// - Throws: `StoreError` with reason `.invalidArgument` when the text is empty, too long or holds a NUL.
    public init(_ text: String) throws(StoreError) {
        try TextRule.check(text, named: "scene", bytesMax: Self.bytesMax)
        self.text = text
    }

    init(trusted text: String) {
        self.text = text
    }

    public static func == (left: SceneName, right: SceneName) -> Bool {
        TextRule.isSame(left.text, right.text)
    }

    public func hash(into hasher: inout Hasher) {
        TextRule.hash(text, into: &hasher)
    }
}

/// A key of a scene: 1 to 256 bytes of UTF-8 without NUL. The same when its bytes are.
public struct SceneKey: Hashable, Sendable {
    public static let bytesMax = 256

    public let text: String

    /// - Throws: `StoreError` with reason `.invalidArgument` when the text is empty, too long or holds a NUL.
    public init(_ text: String) throws(StoreError) {
        try TextRule.check(text, named: "key", bytesMax: Self.bytesMax)
        self.text = text
    }

    init(trusted text: String) {
        self.text = text
    }

    public static func == (left: SceneKey, right: SceneKey) -> Bool {
        TextRule.isSame(left.text, right.text)
    }

    public func hash(into hasher: inout Hasher) {
        TextRule.hash(text, into: &hasher)
    }
}

/// Which tiers a request is about.
public enum SceneTiers: Hashable, Sendable {
    /// The scene, and the global tier behind it.
    case sceneAndGlobal(SceneName)
    /// The scene alone: for callers who may not see or change what all scenes share.
    case sceneOnly(SceneName)
    /// What all scenes share.
    case globalOnly

    /// The tier whose values conditions and counts are about, by its name.
    public var own: String {
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
    public var withoutGlobal: SceneTiers {
        if case .sceneAndGlobal(let scene) = self { .sceneOnly(scene) } else { self }
    }

    /// How the global tier is named in the tables and in changes: no scene has the empty name.
    public static let globalScene = ""
}

public enum SceneTier: Hashable, Sendable {
    case scene
    case global
}

/// One change to a scene.
public struct SceneChange: Hashable, Sendable {
    public var key: SceneKey
    /// Canonical bytes whose form is the caller's business, at most `EngineLimits.sceneValueBytesMax`: equal values
    /// have equal bytes. `nil` removes the key.
    public var value: [UInt8]?

    public init(key: SceneKey, value: [UInt8]?) {
        self.key = key
        self.value = value
    }
}

/// What must hold before the first change.
public struct SceneCondition: Hashable, Sendable {
    public var key: SceneKey
    /// The revision at which the value was set; `nil`: there is no value.
    public var revision: UInt64?

    public init(key: SceneKey, revision: UInt64?) {
        self.key = key
        self.revision = revision
    }
}

/// A key as a reader gets it.
public struct SceneEntry: Hashable, Sendable {
    public var key: SceneKey
    public var tier: SceneTier
    /// The store's revision at which the value was set.
    public var revision: UInt64
    public var updatedAt: Timestamp
    /// The bytes that were set; `nil` where only keys were asked for.
    public var value: [UInt8]?
}

/// What a reader wants of a scene.
public struct SceneValueQuery: Hashable, Sendable {
    public var tiers: SceneTiers
    public var selection: Selection
    public var keysOnly: Bool

    public enum Selection: Hashable, Sendable {
        /// 1 to `EngineLimits.pageRowsMax`, each once; those that are not there are left out.
        case keys([SceneKey])
        /// Every key by its bytes, from a page's cursor on; `limit` is 1 to `EngineLimits.pageRowsMax`.
        case page(limit: Int, cursor: String?)
    }

    public init(_ tiers: SceneTiers, _ selection: Selection, keysOnly: Bool = false) {
        self.tiers = tiers
        self.selection = selection
        self.keysOnly = keysOnly
    }
}

public struct SceneEntryPage: Hashable, Sendable {
    public var entries: [SceneEntry]
    /// The store's revision when this was read.
    public var revision: UInt64
    /// `nil` on the last page.
    public var nextCursor: String?

    public init(entries: [SceneEntry], revision: UInt64, nextCursor: String? = nil) {
        self.entries = entries
        self.revision = revision
        self.nextCursor = nextCursor
    }
}

/// A scene with values of its own.
public struct SceneSummary: Hashable, Sendable {
    public var scene: SceneName
    public var keyCount: Int
    /// When one of its values was last set.
    public var updatedAt: Timestamp
}

public struct SceneSummaryPage: Hashable, Sendable {
    public var scenes: [SceneSummary]
    /// `nil` on the last page.
    public var nextCursor: String?

    public init(scenes: [SceneSummary], nextCursor: String? = nil) {
        self.scenes = scenes
        self.nextCursor = nextCursor
    }
}
