import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite struct TypeDiagnosticTests {
    @Test(arguments: ["struct", "enum"]) func `a value type is refused`(introducer: String) {
        expectExpansion(
            of: """
                @SceneStorage
                \(introducer) Settings {
                }
                """,
            is: """
                \(introducer) Settings {
                }
                """,
            diagnostics: [
                DiagnosticSpec(
                    message: "'@SceneStorage' is for a class or an actor; "
                        + "hint: declare a class, because a struct would copy the scene",
                    line: 1, column: 1)
            ])
    }

    @Test(
        arguments: [
            "let title: String", "var title: String", "let title: String?", "var title: String { didSet {} }",
        ])
    func `the error names a property that the generated initializer could not set`(property: String) {
        expectExpansion(
            of: """
                @SceneStorage
                class Settings {
                    \(property)
                }
                """,
            is: """
                class Settings {
                    \(property)
                }
                """,
            diagnostics: [
                DiagnosticSpec(
                    message: "'title' has no initial value for the generated initializer; "
                        + "hint: set an initial value, or write an initializer that sets '_$sceneStorage'",
                    line: 3, column: 9)
            ])
    }
}
