import SwiftSyntax

/// A type that is named, such as `Int`, `Swift.String` or `Array<Int>`: the last name and its generic arguments.
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
