import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The class or actor in whose body a property stands, which has to carry `@SceneStorage`.
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
    /// Whether this is `@SceneStorage`, also when written with its module's name before it.
    fileprivate var isTypeAttribute: Bool {
        guard case .attribute(let attribute) = self else { return false }
        let type = attribute.attributeName
        let name = type.as(IdentifierTypeSyntax.self)?.name ?? type.as(MemberTypeSyntax.self)?.name
        return name?.text == GeneratedNames.typeAttribute
    }
}
