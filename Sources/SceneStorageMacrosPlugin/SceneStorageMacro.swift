import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@SceneStorage` on a class or an actor: the property that holds the scene, and an initializer that takes it
/// unless the type writes one.
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

    /// As visible as the type; a private type's members need no word to be as private.
    private static func accessOfInitializer(_ kind: TokenKind) -> String? {
        switch kind {
        case .keyword(.public), .keyword(.open): "public "
        case .keyword(.package): "package "
        default: nil
        }
    }
}

extension MemberBlockItemSyntax {
    /// An initializer that has to set every stored property itself: not a convenience one, which calls another.
    fileprivate var isDesignatedInitializer: Bool {
        guard let initializer = decl.as(InitializerDeclSyntax.self) else { return false }
        if initializer.modifiers.contains(where: { $0.name.tokenKind == .keyword(.convenience) }) {
            return false
        }
        let delegation = DelegationFinder(viewMode: .sourceAccurate)
        initializer.body.map(delegation.walk)
        return !delegation.isFound
    }

    /// A stored property that an initializer has to set and the generated one could not.
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

/// Looks for `self.init(…)`, by which an initializer of an actor says that it is a convenience one.
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
