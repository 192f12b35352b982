import SwiftDiagnostics
import SwiftSyntax

/// The type of a stored property: what is in the scene, and whether it may be absent.
///
/// Only what can never be stored is refused here. Whether a named type is storable is the compiler's to say: the
/// generated code asks for `SceneStorable`, to which an application's own types may conform.
struct StoredType {
    /// The type without its optionality, as it was written.
    let text: String
    let isOptional: Bool
    let access: StorageAccess

    init(parsing type: TypeSyntax) throws(DiagnosticsError) {
        let wrapped = Self.wrapped(in: type)
        let stored = Self.withoutParentheses(wrapped ?? type)
        if wrapped != nil, Self.wrapped(in: stored) != nil {
            throw Problem.unsupportedType(type.trimmedDescription, hint: "one '?' says that it may be absent").at(type)
        }
        text = stored.trimmedDescription
        isOptional = wrapped != nil
        if let untyped = StorageAccess(untyped: stored) {
            access = untyped
        } else {
            try Self.check(stored)
            access = .typed(text)
        }
    }

    /// What is optional in `T?`, `T!` and `Optional<T>`, or nil when `type` is none of them.
    private static func wrapped(in type: TypeSyntax) -> TypeSyntax? {
        let type = withoutParentheses(type)
        if let optional = type.as(OptionalTypeSyntax.self) {
            return optional.wrappedType
        }
        if let optional = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return optional.wrappedType
        }
        let generic = GenericName(type)
        return generic?.name == "Optional" && generic?.arguments.count == 1 ? generic?.arguments.first : nil
    }

    private static func withoutParentheses(_ type: TypeSyntax) -> TypeSyntax {
        guard let tuple = type.as(TupleTypeSyntax.self), let only = tuple.elements.first, tuple.elements.count == 1,
            only.firstName == nil
        else { return type }
        return withoutParentheses(only.type)
    }

    private static func check(_ type: TypeSyntax) throws(DiagnosticsError) {
        let type = withoutParentheses(type)
        if wrapped(in: type) != nil {
            throw Problem.unsupportedType(type.trimmedDescription, hint: "a collection in a scene has no nil").at(type)
        } else if let array = type.as(ArrayTypeSyntax.self) {
            try check(array.element)
        } else if let dictionary = type.as(DictionaryTypeSyntax.self) {
            try check(key: dictionary.key)
            try check(dictionary.value)
        } else if let generic = GenericName(type) {
            try check(generic, type)
        } else {
            throw Problem.unsupportedType(type.trimmedDescription, hint: supported).at(type)
        }
    }

    private static func check(_ generic: GenericName, _ type: TypeSyntax) throws(DiagnosticsError) {
        switch (generic.name, generic.arguments.count) {
        case ("Any", 0), ("AnyObject", 0), ("Void", 0), ("Never", 0), ("Set", 1):
            throw Problem.unsupportedType(type.trimmedDescription, hint: supported).at(type)
        case ("Array", 1):
            try check(generic.arguments[0])
        case ("Dictionary", 2):
            try check(key: generic.arguments[0])
            try check(generic.arguments[1])
        default:
            break
        }
    }

    private static func check(key type: TypeSyntax) throws(DiagnosticsError) {
        guard GenericName(type)?.name == "String" else {
            throw Problem.unsupportedType(type.trimmedDescription, hint: "the keys of a dictionary are 'String'")
                .at(type)
        }
    }

    private static let supported =
        "use a 'SceneStorable' type, such as 'String', or 'SceneValue' for mixed values"
}
