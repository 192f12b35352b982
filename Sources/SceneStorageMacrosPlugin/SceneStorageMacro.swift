import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@SceneStorage` on a class or an actor: generates the property that holds the storage. If the type has no designated
/// initializer of its own, generates an initializer with a parameter for the storage, too.
struct SceneStorageMacro: MemberMacro {
    static func expansion(
        of attribute: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard declaration.is(ClassDeclSyntax.self) || declaration.is(ActorDeclSyntax.self) else {
            throw Problem.notClassOrActor.at(attribute)
        }
        let storage: DeclSyntax =
            "private let \(raw: GeneratedNames.storageProperty): \(raw: GeneratedNames.storageClass)"
        let members = declaration.memberBlock.members
        guard !members.contains(where: \.isDesignatedInitializer) else { return [storage] }
        if let binding = members.lazy.compactMap(\.bindingWithoutValue).first {
            throw Problem.initialValueMissing(binding.pattern.trimmedDescription).at(binding)
        }
        return [storage, initializer(access: declaration.modifiers)]
    }

    private static func initializer(access modifiers: DeclModifierListSyntax) -> DeclSyntax {
        let access = modifiers.lazy.compactMap { accessOfInitializer($0.name.tokenKind) }.first ?? ""
        return """
            \(raw: access)init(\(raw: GeneratedNames.storageParameter): \(raw: GeneratedNames.storageClass)) {
                \(raw: GeneratedNames.storageProperty) = \(raw: GeneratedNames.storageParameter)
            }
            """
    }

    /// Returns the modifier that gives the initializer the type's access level; `nil` for levels below `package`, which
    /// need no modifier.
    private static func accessOfInitializer(_ kind: TokenKind) -> String? {
        switch kind {
        case .keyword(.public), .keyword(.open): "public "
        case .keyword(.package): "package "
        default: nil
        }
    }
}

extension MemberBlockItemSyntax {
    /// True for an initializer that must set every stored property itself, unlike a convenience initializer, which
    /// calls another one.
    fileprivate var isDesignatedInitializer: Bool {
        guard let initializer = decl.as(InitializerDeclSyntax.self) else { return false }
        if initializer.modifiers.contains(where: { $0.name.tokenKind == .keyword(.convenience) }) {
            return false
        }
        let delegation = DelegationFinder(viewMode: .sourceAccurate)
        initializer.body.map(delegation.walk)
        return !delegation.isFound
    }

    /// A stored property without a value, which the generated initializer could not set.
    fileprivate var bindingWithoutValue: PatternBindingSyntax? {
        guard let variable = decl.as(VariableDeclSyntax.self), variable.attributes.isEmpty,
            !variable.modifiers.contains(where: { ["static", "class", "lazy"].contains($0.name.text) })
        else { return nil }
        let isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let)
        return variable.bindings.first { binding in
            let isComputed = binding.accessorBlock.map { !$0.hasOnlyObservers } ?? false
            let type = binding.typeAnnotation?.type
            let startsAsNil =
                type?.is(OptionalTypeSyntax.self) == true
                || type?.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) == true
            return binding.initializer == nil && !isComputed && (isConstant || !startsAsNil)
        }
    }
}

/// Looks for `self.init` in an initializer of an actor. An initializer that calls `self.init` is a convenience
/// initializer. The visitor also finds a `self.init` that is not called.
private final class DelegationFinder: SyntaxVisitor {
    private(set) var isFound = false

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        let isSelf = node.base?.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self)
        if isSelf, node.declName.baseName.tokenKind == .keyword(.`init`) {
            isFound = true
        }
        return .visitChildren
    }
}
