import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// An error in the code to which a macro is attached. Each case is one compile-time error.
enum Problem: Error, Hashable {
    case notClassOrActor
    case initialValueMissing(String)
    case notAVariable
    case constant
    case shared
    case computed
    case observed
    case unsupportedModifier(String)
    case severalVariables
    case noType
    case enclosingTypeMissing
    case attributeMissing(typeName: String)
    case keyMissing
    case keyNotLiteral
    case keyEmpty
    case keyTooLong(byteCount: Int)
    case defaultMissing(String)
    case defaultTwice
    case unsupportedType(String, hint: String)
}

extension Problem: DiagnosticMessage {
    var severity: DiagnosticSeverity { .error }

    var diagnosticID: MessageID {
        let name = String(describing: self).prefix { $0 != "(" }
        return MessageID(domain: "SceneStorageMacros", id: String(name))
    }

    var message: String {
        switch self {
        case .notClassOrActor:
            "'@SceneStorage' is for a class or an actor; hint: declare a class, because a struct would copy the scene"
        case .initialValueMissing(let name):
            "'\(name)' has no initial value for the generated initializer; hint: set an initial value, or write an "
                + "initializer that sets '\(GeneratedNames.storageProperty)'"
        case .notAVariable:
            "'@SceneStorageKey' is for a property; hint: attach it to a 'var'"
        case .constant:
            "a 'let' never changes, so it cannot follow a scene; hint: declare it with 'var'"
        case .shared:
            "a static property belongs to no scene; hint: make it an instance property"
        case .computed:
            "the property has accessors of its own; hint: remove them, because '@SceneStorageKey' adds others"
        case .observed:
            "changes of the scene would not call the property's observers; hint: remove the observers, and watch the "
                + "scene with 'StoreClient.watch'"
        case .unsupportedModifier(let modifier):
            "a '\(modifier)' property cannot be stored in a scene; hint: remove '\(modifier)'"
        case .severalVariables:
            "several properties share this '@SceneStorageKey'; hint: declare each property separately, with its own "
                + "'@SceneStorageKey'"
        case .noType:
            "the type of the property is missing; hint: write the type, such as 'var name: String?'"
        case .enclosingTypeMissing:
            "'@SceneStorageKey' is for a property in the body of a class or an actor; hint: move it there"
        case .attributeMissing(let typeName):
            "'\(typeName)' has no storage for the property; hint: attach '@SceneStorage' to '\(typeName)'"
        case .keyMissing:
            "the key is missing; hint: write it, such as '@SceneStorageKey(\"name\")'"
        case .keyNotLiteral:
            "the key is not a plain string literal; hint: write it out, without interpolation"
        case .keyEmpty:
            "the key is empty; hint: give it 1 to \(StorageKey.maximumByteCount) bytes"
        case .keyTooLong(let byteCount):
            "the key has \(byteCount) bytes; hint: give it 1 to \(StorageKey.maximumByteCount) bytes"
        case .defaultMissing(let type):
            "'\(type)' needs a default, because a scene can lack a value; hint: add 'defaultValue:', or use '\(type)?'"
        case .defaultTwice:
            "the property has two default values; hint: remove 'defaultValue:' or the initial value"
        case .unsupportedType(let type, let hint):
            "'\(type)' cannot be stored in a scene; hint: \(hint)"
        }
    }
}

extension Problem {
    /// Returns the error as a diagnostic at `node`.
    func at(_ node: some SyntaxProtocol, fixIts: [FixIt] = []) -> DiagnosticsError {
        DiagnosticsError(diagnostics: [Diagnostic(node: node, message: self, fixIts: fixIts)])
    }
}

/// The text of a fix-it.
struct Repair: FixItMessage {
    let message: String
    let fixItID: MessageID

    init(_ message: String, id: String) {
        self.message = message
        self.fixItID = MessageID(domain: "SceneStorageMacros", id: id)
    }
}
