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
