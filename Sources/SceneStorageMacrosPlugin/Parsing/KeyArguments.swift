import SwiftDiagnostics
import SwiftSyntax

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
