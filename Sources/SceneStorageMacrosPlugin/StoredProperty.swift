import SwiftDiagnostics
import SwiftSyntax

/// A property that a scene can store: a mutable, stored instance property with an explicit type.
struct StoredProperty {
    let type: StoredType
    /// The expression after `=`, which serves as the default value.
    let initialValue: ExprSyntax?

    init(parsing declaration: some DeclSyntaxProtocol) throws(DiagnosticsError) {
        guard let variable = declaration.as(VariableDeclSyntax.self) else { throw Problem.notAVariable.at(declaration) }
        try Self.checkModifiers(variable)
        guard let binding = variable.bindings.first, variable.bindings.count == 1,
            binding.pattern.is(IdentifierPatternSyntax.self)
        else { throw Problem.severalVariables.at(variable.bindings) }
        if let accessors = binding.accessorBlock {
            throw (accessors.hasOnlyObservers ? Problem.observed : .computed).at(binding.pattern)
        }
        guard variable.bindingSpecifier.tokenKind == .keyword(.var) else { throw Self.constant(variable) }
        guard let annotation = binding.typeAnnotation else { throw Problem.noType.at(binding) }
        type = try StoredType(parsing: annotation.type)
        initialValue = binding.initializer?.value
    }

    private static func checkModifiers(_ variable: VariableDeclSyntax) throws(DiagnosticsError) {
        for modifier in variable.modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.static), .keyword(.class):
                throw Problem.shared.at(modifier)
            case .keyword(.lazy), .keyword(.weak), .keyword(.unowned):
                throw Problem.unsupportedModifier(modifier.name.text).at(modifier)
            default:
                continue
            }
        }
    }

    /// Returns the error for a `let`, with a fix-it.
    private static func constant(_ variable: VariableDeclSyntax) -> DiagnosticsError {
        let specifier = variable.bindingSpecifier
        let repaired = specifier.with(\.tokenKind, .keyword(.var))
        let repair = FixIt(
            message: Repair("replace 'let' with 'var'", id: "useVar"),
            changes: [.replace(oldNode: Syntax(specifier), newNode: Syntax(repaired))])
        return Problem.constant.at(specifier, fixIts: [repair])
    }
}

extension AccessorBlockSyntax {
    /// True if the braces contain only `willSet` and `didSet`, so that the property is a stored one.
    var hasOnlyObservers: Bool {
        guard case .accessors(let list) = accessors else { return false }
        return list.allSatisfy { accessor in
            let kind = accessor.accessorSpecifier.tokenKind
            return kind == .keyword(.willSet) || kind == .keyword(.didSet)
        }
    }
}
