/// Gives a class or an actor the scene that its `@SceneStorageKey` properties live in.
///
/// ```swift
/// import SceneStorage
/// import SceneStorageMacros
///
/// @SceneStorage
/// final class Settings {
///     @SceneStorageKey("user_age", defaultValue: 24) var age: Int
///     @SceneStorageKey("user_name") var name: String?
/// }
///
/// let settings = Settings(sceneStorage: storage)
/// ```
///
/// It adds two members:
///
/// - `private let _$sceneStorage: SceneStorage`, the class of the library `SceneStorage`. Only the type's own body sees
///   it, so that a subclass with keys of its own has its own and may stand in another scene.
/// - `init(sceneStorage: SceneStorage)`, as visible as the type. A type that writes a designated initializer of its
///   own does not get one and sets `_$sceneStorage` there.
///
/// Import both modules: `SceneStorage` has the class, `SceneStorageMacros` has this. They may share the name because
/// one is looked up after `@` as a macro, the other as a type. Where access levels stand before imports, a public
/// type needs `public import SceneStorage`, since its initializer names the class.
///
/// Errors while compiling: the type is neither class nor actor; a property has no value and there is no initializer.
@attached(member, names: named(_$sceneStorage), named(init(sceneStorage:)))
public macro SceneStorage() = #externalMacro(module: "SceneStorageMacrosPlugin", type: "SceneStorageMacro")

/// Keeps a property under `key` of the scene, in the body of a type that carries `@SceneStorage`.
///
/// ```swift
/// @SceneStorageKey("user_name") var name: String?
/// @SceneStorageKey("theme") var theme: Theme = .light
/// ```
///
/// Reading answers from memory, as `SceneStorage.value(_:forKey:)`: the scene's value, else the global one, else a
/// registered default, else the initial value, else `nil`. A kept value that cannot be read as the property's type
/// counts as absent. Setting is `SceneStorage.setValue(_:forKey:)`: it returns at once and is written in order; `nil`
/// removes the key.
///
/// - Parameter key: a string literal without interpolation, 1 to 256 bytes of UTF-8.
///
/// The type has to be written out and to be `SceneStorable`, or an optional of it: `String`, `Int`, `Float`, `Double`,
/// `Bool`, `URL`, `Data`, `Date`, `SceneValue`, arrays and dictionaries with `String` keys of these, or a type of your
/// own. `Any`, `[Any]` and `[String: Any]` hold what property lists do, as `object(forKey:)`, `array(forKey:)` and
/// `dictionary(forKey:)` answer it. The property keeps its access level and may be `nonisolated` in an actor.
///
/// Errors while compiling: a `let`, a static, lazy, computed or observed property, no type or one that can never be
/// stored, no default for a property that is not optional, no `@SceneStorage` on the type, and a key that is empty, too
/// long or not a literal.
@attached(accessor)
public macro SceneStorageKey(_ key: String) =
    #externalMacro(module: "SceneStorageMacrosPlugin", type: "SceneStorageKeyMacro")

/// Keeps a property under `key` of the scene, with a value for when the scene has none.
///
/// As `SceneStorageKey(_:)`, and:
///
/// - Parameter defaultValue: any expression that has a type without the property, evaluated anew by every reading
///   that finds nothing. It is not written to the scene. One that needs the property's type, such as `.light`, stands
///   behind the property instead: `var theme: Theme = .light`.
@attached(accessor)
public macro SceneStorageKey<Value>(_ key: String, defaultValue: Value) =
    #externalMacro(module: "SceneStorageMacrosPlugin", type: "SceneStorageKeyMacro")

/// As `SceneStorageKey(_:defaultValue:)`, for `nil`, `[]` and an array of mixed values, which have no type alone.
@attached(accessor)
public macro SceneStorageKey(_ key: String, defaultValue: [Any]?) =
    #externalMacro(module: "SceneStorageMacrosPlugin", type: "SceneStorageKeyMacro")

/// As `SceneStorageKey(_:defaultValue:)`, for `[:]` and a dictionary of mixed values, which have no type alone.
@attached(accessor)
public macro SceneStorageKey(_ key: String, defaultValue: [String: Any]) =
    #externalMacro(module: "SceneStorageMacrosPlugin", type: "SceneStorageKeyMacro")
