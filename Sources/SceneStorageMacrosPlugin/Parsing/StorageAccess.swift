import SwiftSyntax
import SwiftSyntaxBuilder

/// Which calls of the class `SceneStorage` read and write a type.
enum StorageAccess {
    /// A `SceneStorable` type: `value(_:forKey:)` and `setValue(_:forKey:)`.
    case typed(String)
    /// `Any`, `[Any]` or `[String: Any]`, as property lists have them: the getter of this name and `set(_:forKey:)`.
    case untyped(getter: String)

    /// The access to a type made of `Any`, or nil when `type` is another one.
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

    /// Reads the value, which is nil when the scene has none.
    func read(_ key: StorageKey) -> ExprSyntax {
        switch self {
        case .typed(let type):
            "\(raw: GeneratedNames.storageProperty).value(\(raw: type).self, forKey: \(key.literal))"
        case .untyped(let getter):
            "\(raw: GeneratedNames.storageProperty).\(raw: getter)(forKey: \(key.literal))"
        }
    }

    /// Writes `newValue`.
    func write(_ key: StorageKey) -> ExprSyntax {
        switch self {
        case .typed: "\(raw: GeneratedNames.storageProperty).setValue(newValue, forKey: \(key.literal))"
        case .untyped: "\(raw: GeneratedNames.storageProperty).set(newValue, forKey: \(key.literal))"
        }
    }

    private static func isAny(_ type: TypeSyntax) -> Bool { GenericName(type)?.name == "Any" }
    private static func isString(_ type: TypeSyntax) -> Bool { GenericName(type)?.name == "String" }
}
