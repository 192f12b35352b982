/// Adds the scene storage to a class or an actor with `@SceneStorageKey` properties.
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
/// - `private let _$sceneStorage: SceneStorage`, an instance of the class in the library `SceneStorage`. It is visible
///   only in the type's own body, so that a subclass with keys has its own storage and may use another scene.
/// - `init(sceneStorage: SceneStorage)`, with the access level of the type. It is not added if the type has a
///   designated initializer of its own, which must set `_$sceneStorage`.
///
/// Import both modules: `SceneStorage` contains the class, `SceneStorageMacros` contains this macro. They can have the
/// same name because Swift looks up a macro after `@` and a type elsewhere. If your imports have access levels, a
/// public type needs `public import SceneStorage`, since its initializer has a parameter of the class.
///
/// Compile-time errors: the type is neither a class nor an actor; a property has no value and there is no initializer.
@attached(member, names: named(_$sceneStorage), named(init(sceneStorage:)))
public macro SceneStorage() = #externalMacro(module: "SceneStorageMacrosPlugin", type: "SceneStorageMacro")

/// Stores a property under `key` of the scene. The property must be in the body of a type with `@SceneStorage`.
///
/// ```swift
/// @SceneStorageKey("user_name") var name: String?
/// @SceneStorageKey("theme") var theme: Theme = .light
/// ```
///
/// Reading the property returns a value from memory, like `SceneStorage.value(_:forKey:)`: the scene's value, otherwise
/// the value that all scenes share, otherwise a registered default, otherwise the initial value, otherwise `nil`. A
/// stored value that cannot be read as the property's type is treated as missing. Setting the property is the same as
/// `SceneStorage.setValue(_:forKey:)`: it returns at once, and the values are written in order. Setting `nil` removes
/// the key.
///
/// - Parameter key: a string literal without interpolation, 1 to 256 bytes of UTF-8.
///
/// The type must be written explicitly. It must conform to `SceneStorable` or be an optional of such a type: `String`,
/// `Int`, `Float`, `Double`, `Bool`, `URL`, `Data`, `Date`, `SceneValue`, arrays and dictionaries of these with
/// `String` keys, or a type of your own. `Any`, `[Any]` and `[String: Any]` contain the types of property lists, like
/// the results of `object(forKey:)`, `array(forKey:)` and `dictionary(forKey:)`. The property keeps its access level
/// and may be `nonisolated` in an actor.
///
/// Compile-time errors: a `let`; a static, lazy, computed or observed property; no type, or a type that can never
/// be stored; no default for a property that is not optional; no `@SceneStorage` on the type; a key that is empty, too
/// long or not a literal.
@attached(accessor)
public macro SceneStorageKey(_ key: String) =
    #externalMacro(module: "SceneStorageMacrosPlugin", type: "SceneStorageKeyMacro")

/// Stores a property under `key` of the scene, with a default value for a scene without a value.
///
/// Works like `SceneStorageKey(_:)` otherwise.
///
/// - Parameter defaultValue: any expression whose type does not depend on the property. It is evaluated by every read
///   that finds no value, and is not written to the scene. An expression that needs the property's type, such as
///   `.light`, must be the property's initial value instead: `var theme: Theme = .light`.
@attached(accessor)
public macro SceneStorageKey<Value>(_ key: String, defaultValue: Value) =
    #externalMacro(module: "SceneStorageMacrosPlugin", type: "SceneStorageKeyMacro")

/// A variant of `SceneStorageKey(_:defaultValue:)` for `nil`, `[]` and an array of mixed values, which have no type of
/// their own.
@attached(accessor)
public macro SceneStorageKey(_ key: String, defaultValue: [Any]?) =
    #externalMacro(module: "SceneStorageMacrosPlugin", type: "SceneStorageKeyMacro")

/// A variant of `SceneStorageKey(_:defaultValue:)` for `[:]` and a dictionary of mixed values, which have no type of
/// their own.
@attached(accessor)
public macro SceneStorageKey(_ key: String, defaultValue: [String: Any]) =
    #externalMacro(module: "SceneStorageMacrosPlugin", type: "SceneStorageKeyMacro")
