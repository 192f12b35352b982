import FoundationEssentials
import SceneStorage
import SceneStorageMacros
import StoreClient
import Synchronization

/// A class with an optional property of every supported type.
@SceneStorage
final class OptionalSample: Sendable {
    @SceneStorageKey("string") var string: String?
    @SceneStorageKey("integer") var integer: Int?
    @SceneStorageKey("float") var float: Float?
    @SceneStorageKey("double") var double: Double?
    @SceneStorageKey("bool") var bool: Bool?
    @SceneStorageKey("url") var url: URL?
    @SceneStorageKey("data") var data: Data?
    @SceneStorageKey("date") var date: Date?
    @SceneStorageKey("urls") var urls: [URL]?
    @SceneStorageKey("scores") var scores: [String: Double]?
    @SceneStorageKey("nested") var nested: [String: [[Int]]]?
    @SceneStorageKey("mixed") var mixed: [String: SceneValue]?
    @SceneStorageKey("theme") var theme: Theme?
    @SceneStorageKey("spelled") var spelled: Swift.Optional<Array<Dictionary<String, Bool>>>
    @SceneStorageKey("unwrapped") var unwrapped: String!
}

/// A class with a property of every supported type that has a default value. The defaults are written in every possible
/// way.
@SceneStorage
final class DefaultSample: Sendable {
    @SceneStorageKey("string", defaultValue: "a" + "b") var string: String
    @SceneStorageKey("integer", defaultValue: DefaultSample.isLarge ? 1_000 : 1) var integer: Int
    @SceneStorageKey("float", defaultValue: -1.5) var float: Float
    @SceneStorageKey("double", defaultValue: 3) var double: Double
    @SceneStorageKey("bool", defaultValue: !false) var bool: Bool
    @SceneStorageKey("url", defaultValue: URL(string: "https://example.org")!) var url: URL
    @SceneStorageKey("data", defaultValue: Data([1, 2])) var data: Data
    @SceneStorageKey("date", defaultValue: Date(timeIntervalSince1970: 1.5)) var date: Date
    @SceneStorageKey("tags", defaultValue: []) var tags: [String]
    @SceneStorageKey("scores", defaultValue: [:]) var scores: [String: Double]
    @SceneStorageKey("nested", defaultValue: ["a": [[1], []]]) var nested: [String: [[Int]]]
    @SceneStorageKey("theme", defaultValue: Theme.dark) var theme: Theme
    @SceneStorageKey("closure", defaultValue: { (1...3).reduce(0, +) }()) var closure: Int
    @SceneStorageKey("optional", defaultValue: "present") var optional: String?
    @SceneStorageKey("none", defaultValue: nil) var none: String?
    @SceneStorageKey("coalesced", defaultValue: Int("x") ?? 7) var coalesced: Int
    @SceneStorageKey("member") var member: Theme = .light
    @SceneStorageKey("largest") var largest: Int = .max
    @SceneStorageKey("mixed") var mixed: [String: SceneValue] = ["a": .integer(1), "b": .array([.bool(true)])]
    @SceneStorageKey("stored", defaultValue: stored) var shadowing: Int

    private static let isLarge = true
}

/// Properties that hold a value of a property list whose type is known only at run time.
@SceneStorage
final class UntypedSample {
    @SceneStorageKey("object") var object: Any?
    @SceneStorageKey("array") var array: [Any]?
    @SceneStorageKey("dictionary") var dictionary: [String: Any]?
    @SceneStorageKey("list", defaultValue: [1, "two", [3.5]]) var list: [Any]
    @SceneStorageKey("table", defaultValue: ["one": 1, "two": "2"]) var table: Dictionary<String, Any>
    @SceneStorageKey("empty", defaultValue: [:]) var empty: [String: Any]
}

/// A constant for a default expression. The generated code has a variable of the same name, which must not hide the
/// constant.
private let stored = 11

/// A type of the application that a scene can store.
enum Theme: String, SceneStorable {
    case light, dark

    init?(sceneValue: SceneValue) {
        guard let name = String(sceneValue: sceneValue) else { return nil }
        self.init(rawValue: name)
    }

    var sceneValue: SceneValue { .string(rawValue) }
}

@SceneStorage
actor Counter {
    @SceneStorageKey("count", defaultValue: 0) private(set) var count: Int
    @SceneStorageKey("title") nonisolated var title: String?

    func increment() -> Int {
        count += 1
        return count
    }
}

/// A type and its subclass, each with its own keys.
@SceneStorage
class Panel {
    @SceneStorageKey("width", defaultValue: 100) var width: Int
}

@SceneStorage
final class SidePanel: Panel {
    @SceneStorageKey("side", defaultValue: "left") var side: String

    override init(sceneStorage: SceneStorage) {
        _$sceneStorage = sceneStorage
        super.init(sceneStorage: sceneStorage)
    }
}

/// A type with its own initializer on the main actor.
@SceneStorage
@MainActor
final class Titled {
    let title: String
    @SceneStorageKey("width", defaultValue: 100) var width: Int

    init(title: String, sceneStorage: SceneStorage) {
        self.title = title
        _$sceneStorage = sceneStorage
    }
}

/// A type that counts how often the default value of its property is evaluated.
@SceneStorage
final class Evaluated {
    @SceneStorageKey("number", defaultValue: Evaluated.next()) var number: Int

    private static let last = Mutex(0)

    private static func next() -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }
}
