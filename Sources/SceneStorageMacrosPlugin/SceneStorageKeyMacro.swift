import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@SceneStorageKey("key", defaultValue: expression)`: accessors that read and write the scene.
struct SceneStorageKeyMacro: AccessorMacro {
    static func expansion(
        of attribute: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        try EnclosingType.check(declaration, in: context)
        let arguments = try KeyArguments(parsing: attribute)
        let property = try StoredProperty(parsing: declaration)
        if arguments.defaultValue != nil, let initialValue = property.initialValue {
            throw Problem.defaultTwice.at(initialValue)
        }
        let absent = arguments.defaultValue ?? property.initialValue
        guard absent != nil || property.type.isOptional else {
            throw Problem.defaultMissing(property.type.text).at(declaration)
        }
        return [
            getter(type: property.type, key: arguments.key, absent: absent),
            """
            set {
                \(property.type.access.write(arguments.key))
            }
            """,
        ]
    }

    /// The default is a statement of its own: no precedence, closure or name can change what it means.
    private static func getter(type: StoredType, key: StorageKey, absent: ExprSyntax?) -> AccessorDeclSyntax {
        let read = type.access.read(key)
        guard let absent else {
            return """
                get {
                    \(read)
                }
                """
        }
        return """
            get {
                if let stored = \(read) {
                    return stored
                }
                return \(absent.trimmed)
            }
            """
    }
}
