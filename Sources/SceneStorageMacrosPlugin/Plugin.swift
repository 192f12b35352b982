import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The program that the compiler runs to expand the macros of `SceneStorageMacros`.
@main
struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [SceneStorageMacro.self, SceneStorageKeyMacro.self]
}

/// The names that the two macros share with each other and with the library `SceneStorage`.
enum GeneratedNames {
    /// The attribute of a type with scene keys.
    static let typeAttribute = "SceneStorage"
    /// The class that holds a scene in memory.
    static let storageClass = "SceneStorage"
    /// The generated property that holds the storage. It has the same name in the library that `SceneStorage` replaces.
    static let storageProperty = "_$sceneStorage"
    /// The label of the generated initializer.
    static let storageParameter = "sceneStorage"
}
