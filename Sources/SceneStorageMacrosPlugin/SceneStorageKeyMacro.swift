import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@SceneStorageKey("key", defaultValue: expression)`: generates accessors that read and write the scene.
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

    /// Returns the getter. The default value is a statement of its own, so that precedence, closures or names cannot
    /// change its meaning.
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

/// The arguments of `@SceneStorageKey("key", defaultValue: expression)`.
struct KeyArguments {
    let key: StorageKey
    let defaultValue: ExprSyntax?

    init(parsing attribute: AttributeSyntax) throws(DiagnosticsError) {
        guard case .argumentList(let arguments) = attribute.arguments,
            let first = arguments.first(where: { $0.label == nil })
        else { throw Problem.keyMissing.at(attribute) }
        key = try StorageKey(parsing: first.expression)
        defaultValue = arguments.first { $0.label?.text == "defaultValue" }?.expression
    }
}

/// The key of a property: a literal whose value is known at compile time.
struct StorageKey {
    /// The most bytes of a key in UTF-8.
    static let maximumByteCount = 256

    /// The literal as it was written.
    let literal: StringLiteralExprSyntax

    init(parsing expression: ExprSyntax) throws(DiagnosticsError) {
        guard let literal = expression.as(StringLiteralExprSyntax.self), let value = literal.representedLiteralValue
        else { throw Problem.keyNotLiteral.at(expression) }
        let byteCount = value.utf8.count
        guard byteCount > 0 else { throw Problem.keyEmpty.at(expression) }
        guard byteCount <= Self.maximumByteCount else { throw Problem.keyTooLong(byteCount: byteCount).at(expression) }
        self.literal = literal.trimmed
    }
}

/// The check that the class or actor around a property has `@SceneStorage`.
enum EnclosingType {
    static func check(
        _ property: some SyntaxProtocol, in context: some MacroExpansionContext
    ) throws(DiagnosticsError) {
        let (name, attributes): (TokenSyntax, AttributeListSyntax)
        switch context.lexicalContext.first?.as(SyntaxEnum.self) {
        case .classDecl(let type):
            (name, attributes) = (type.name, type.attributes)
        case .actorDecl(let type):
            (name, attributes) = (type.name, type.attributes)
        default:
            throw Problem.enclosingTypeMissing.at(property)
        }
        guard attributes.contains(where: \.isTypeAttribute) else {
            throw Problem.attributeMissing(typeName: name.text).at(property)
        }
    }
}

extension AttributeListSyntax.Element {
    /// True if this is `@SceneStorage`, with or without its module's name.
    fileprivate var isTypeAttribute: Bool {
        guard case .attribute(let attribute) = self else { return false }
        let type = attribute.attributeName
        let name = type.as(IdentifierTypeSyntax.self)?.name ?? type.as(MemberTypeSyntax.self)?.name
        return name?.text == GeneratedNames.typeAttribute
    }
}
