import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The program that the compiler runs to expand the macros of `SceneStorageMacros`.
@main
struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [SceneStorageMacro.self, SceneStorageKeyMacro.self]
}
