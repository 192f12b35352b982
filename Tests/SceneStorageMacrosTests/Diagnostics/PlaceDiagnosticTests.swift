import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite struct PlaceDiagnosticTests {
    @Test(arguments: ["class", "actor", "@MainActor class"])
    func `the error of a property in a type without @SceneStorage names the type`(introducer: String) {
        expectExpansion(
            of: """
                \(introducer) Settings {
                    @SceneStorageKey("key")
                    var property: Int?
                }
                """,
            is: """
                \(introducer) Settings {
                    var property: Int?
                }
                """,
            diagnostics: [
                DiagnosticSpec(
                    message: "'Settings' has no storage for the property; hint: attach '@SceneStorage' to 'Settings'",
                    line: 2, column: 5)
            ])
    }

    @Test func `the attribute of an outer type does not count for an inner one`() {
        expectExpansion(
            of: """
                @SceneStorage
                class Outer {
                    class Inner {
                        @SceneStorageKey("key")
                        var property: Int?
                    }
                }
                """,
            is: """
                class Outer {
                    class Inner {
                        var property: Int?
                    }

                    private let _$sceneStorage: SceneStorage

                    init(sceneStorage: SceneStorage) {
                        _$sceneStorage = sceneStorage
                    }
                }
                """,
            diagnostics: [
                DiagnosticSpec(
                    message: "'Inner' has no storage for the property; hint: attach '@SceneStorage' to 'Inner'",
                    line: 4, column: 9)
            ])
    }

    @Test(arguments: ["struct", "extension"])
    func `a property outside of a class or an actor is refused`(introducer: String) {
        expectExpansion(
            of: """
                \(introducer) Settings {
                    @SceneStorageKey("key")
                    var property: Int?
                }
                """,
            is: """
                \(introducer) Settings {
                    var property: Int?
                }
                """,
            diagnostics: [Self.outside(line: 2, column: 5)])
    }

    @Test func `a global variable is refused`() {
        expectExpansion(
            of: """
                @SceneStorageKey("key")
                var property: Int?
                """,
            is: "var property: Int?", diagnostics: [Self.outside(line: 1, column: 1)])
    }

    @Test func `a 'let' is refused with a fix-it`() {
        let message = "a 'let' never changes, so it cannot follow a scene; hint: declare it with 'var'"
        expectExpansion(
            of: """
                @SceneStorage
                class Settings {
                    @SceneStorageKey("key") let property: Int?
                    init() { _$sceneStorage = shared }
                }
                """,
            is: """
                class Settings {
                    let property: Int?
                    init() { _$sceneStorage = shared }

                    private let _$sceneStorage: SceneStorage
                }
                """,
            diagnostics: [
                DiagnosticSpec(
                    message: message, line: 3, column: 29, fixIts: [FixItSpec(message: "replace 'let' with 'var'")])
            ],
            fixedSource: """
                @SceneStorage
                class Settings {
                    @SceneStorageKey("key") var property: Int?
                    init() { _$sceneStorage = shared }
                }
                """)
    }

    private static func outside(line: Int, column: Int) -> DiagnosticSpec {
        DiagnosticSpec(
            message: "'@SceneStorageKey' is for a property in the body of a class or an actor; hint: move it there",
            line: line, column: column)
    }
}
