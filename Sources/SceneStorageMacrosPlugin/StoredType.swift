import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// The type of a stored property: the type of its value in the scene, and a flag for a value that may be missing.
///
/// Only types that can never be stored are rejected here. The compiler checks that a named type can be stored, because
/// the generated code requires `SceneStorable`, to which an application's own types may conform.
struct StoredType {
    /// The text of the type without its optionality.
    let text: String
    let isOptional: Bool
    let access: StorageAccess

    init(parsing type: TypeSyntax) throws(DiagnosticsError) {
        let wrapped = Self.wrapped(in: type)
        let stored = Self.withoutParentheses(wrapped ?? type)
        if wrapped != nil, Self.wrapped(in: stored) != nil {
            throw Problem.unsupportedType(type.trimmedDescription, hint: "use a single '?'").at(type)
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

    /// Returns the type wrapped by `T?`, `T!` or `Optional<T>`, or `nil` if `type` is not optional.
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
            throw Problem.unsupportedType(
                type.trimmedDescription,
                hint: "use a type that is not optional, because arrays and dictionaries in a scene cannot contain nil"
            ).at(type)
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
            throw Problem.unsupportedType(type.trimmedDescription, hint: "use 'String' for the keys of the dictionary")
                .at(type)
        }
    }

    private static let supported =
        "use a 'SceneStorable' type, such as 'String', or 'SceneValue' for mixed values"
}

/// A named type, such as `Int`, `Swift.String` or `Array<Int>`: its last name and its generic arguments.
struct GenericName {
    let name: String
    let arguments: [TypeSyntax]

    init?(_ type: TypeSyntax) {
        let clause: GenericArgumentClauseSyntax?
        if let identifier = type.as(IdentifierTypeSyntax.self) {
            (name, clause) = (identifier.name.text, identifier.genericArgumentClause)
        } else if let member = type.as(MemberTypeSyntax.self) {
            (name, clause) = (member.name.text, member.genericArgumentClause)
        } else {
            return nil
        }
        arguments = clause?.arguments.compactMap { $0.argument.as(TypeSyntax.self) } ?? []
    }
}

/// The functions of the class `SceneStorage` that read and write a type.
enum StorageAccess {
    /// A `SceneStorable` type: `value(_:forKey:)` and `setValue(_:forKey:)`.
    case typed(String)
    /// `Any`, `[Any]` or `[String: Any]`, as in property lists: the getter with this name and `set(_:forKey:)`.
    case untyped(getter: String)

    /// Returns the access to a type made of `Any`, or `nil` for another type.
    init?(untyped type: TypeSyntax) {
        if Self.isAny(type) {
            self = .untyped(getter: "object")
        } else if let array = type.as(ArrayTypeSyntax.self), Self.isAny(array.element) {
            self = .untyped(getter: "array")
        } else if let dictionary = type.as(DictionaryTypeSyntax.self), Self.isString(dictionary.key),
            Self.isAny(dictionary.value)
        {
            self = .untyped(getter: "dictionary")
        } else if let generic = GenericName(type), generic.name == "Array", let element = generic.arguments.first,
            Self.isAny(element)
        {
            self = .untyped(getter: "array")
        } else if let generic = GenericName(type), generic.name == "Dictionary", generic.arguments.count == 2,
            Self.isString(generic.arguments[0]), Self.isAny(generic.arguments[1])
        {
            self = .untyped(getter: "dictionary")
        } else {
            return nil
        }
    }

    /// Returns an expression that reads the value, which is `nil` if the scene has none.
    func read(_ key: StorageKey) -> ExprSyntax {
        switch self {
        case .typed(let type):
            "\(raw: GeneratedNames.storageProperty).value(\(raw: type).self, forKey: \(key.literal))"
        case .untyped(let getter):
            "\(raw: GeneratedNames.storageProperty).\(raw: getter)(forKey: \(key.literal))"
        }
    }

    /// Returns an expression that writes `newValue`.
    func write(_ key: StorageKey) -> ExprSyntax {
        switch self {
        case .typed: "\(raw: GeneratedNames.storageProperty).setValue(newValue, forKey: \(key.literal))"
        case .untyped: "\(raw: GeneratedNames.storageProperty).set(newValue, forKey: \(key.literal))"
        }
    }

    private static func isAny(_ type: TypeSyntax) -> Bool { GenericName(type)?.name == "Any" }
    private static func isString(_ type: TypeSyntax) -> Bool { GenericName(type)?.name == "String" }
}
