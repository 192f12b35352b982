import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite struct KeyDiagnosticTests {
    /// One mistake on a property of an otherwise valid type.
    struct Mistake: Sendable, CustomTestStringConvertible {
        var attribute = #"@SceneStorageKey("key")"#
        var property = "var property: Int?"
        var message: String
        /// The position at which the error is shown, counted from 1: in `attribute` (line 3) or in `property` (line 4).
        var line = 4
        var column = 1
        var testDescription: String { "\(attribute) \(property)" }
    }

    @Test(arguments: properties) func `a property that a scene cannot store is refused`(_ mistake: Mistake) {
        expectMistake(mistake)
    }

    @Test(arguments: types) func `a type that can never be stored is refused`(_ mistake: Mistake) {
        expectMistake(mistake)
    }

    @Test(arguments: keys) func `a key that is not a plain, short literal is refused`(_ mistake: Mistake) {
        expectMistake(mistake)
    }

    @Test(arguments: defaults) func `a property that is not optional needs exactly one default`(_ mistake: Mistake) {
        expectMistake(mistake)
    }

    private func expectMistake(_ mistake: Mistake) {
        expectExpansion(
            of: """
                @SceneStorage
                class Settings {
                    \(mistake.attribute)
                    \(mistake.property)
                    init() { _$sceneStorage = shared }
                }
                """,
            is: """
                class Settings {
                    \(mistake.property)
                    init() { _$sceneStorage = shared }

                    private let _$sceneStorage: SceneStorage
                }
                """,
            diagnostics: [
                DiagnosticSpec(message: mistake.message, line: mistake.line, column: 4 + mistake.column)
            ])
    }

    /// For a property with accessors, the test support removes the line break between the attribute and the property
    /// before it counts lines, so these entries have a smaller line. The compiler itself shows the right line.
    private static let properties = [
        Mistake(
            property: "static var property: Int?",
            message: "a static property belongs to no scene; hint: make it an instance property"),
        Mistake(
            property: "class var property: Int?",
            message: "a static property belongs to no scene; hint: make it an instance property"),
        Mistake(
            property: "lazy var property: Int? = nil",
            message: "a 'lazy' property cannot be stored in a scene; hint: remove 'lazy'"),
        Mistake(
            property: "weak var property: Settings?",
            message: "a 'weak' property cannot be stored in a scene; hint: remove 'weak'"),
        Mistake(
            property: "var property: Int? { 3 }",
            message: "the property has accessors of its own; hint: remove them, because '@SceneStorageKey' adds others",
            line: 3,
            column: 5),
        Mistake(
            property: "var property: Int? { get { 3 } set {} }",
            message: "the property has accessors of its own; hint: remove them, because '@SceneStorageKey' adds others",
            line: 3,
            column: 5),
        Mistake(
            property: "var property: Int? { didSet {} }",
            message: "changes of the scene would not call the property's observers; "
                + "hint: remove the observers, and watch the scene with 'StoreClient.watch'", line: 3, column: 5),
        Mistake(
            property: "var property = 3",
            message: "the type of the property is missing; hint: write the type, such as 'var name: String?'",
            column: 5),
    ]

    private static let storable = "hint: use a 'SceneStorable' type, such as 'String', or 'SceneValue' for mixed values"

    private static let types = [
        ("[[Any]]?", "Any", storable, 17), ("[String: [Any]]?", "Any", storable, 25),
        ("(Int, Int)?", "(Int, Int)", storable, 15), ("(() -> Void)?", "() -> Void", storable, 16),
        ("Set<Int>?", "Set<Int>", storable, 15), ("any Hashable", "any Hashable", storable, 15),
        ("Int.Type?", "Int.Type", storable, 15), ("AnyObject?", "AnyObject", storable, 15),
        ("Array<Void>?", "Void", storable, 21),
        ("[Int: String]?", "Int", "hint: use 'String' for the keys of the dictionary", 16),
        ("Dictionary<Int, String>?", "Int", "hint: use 'String' for the keys of the dictionary", 26),
        (
            "[Int?]?", "Int?",
            "hint: use a type that is not optional, because arrays and dictionaries in a scene cannot contain nil", 16
        ),
        ("Int??", "Int??", "hint: use a single '?'", 15),
    ].map { type, culprit, hint, column in
        Mistake(
            property: "var property: \(type)", message: "'\(culprit)' cannot be stored in a scene; \(hint)",
            column: column)
    }

    private static let keys = [
        Mistake(
            attribute: "@SceneStorageKey(name)",
            message: "the key is not a plain string literal; hint: write it out, without interpolation", line: 3,
            column: 18),
        Mistake(
            attribute: #"@SceneStorageKey("a\(1)")"#,
            message: "the key is not a plain string literal; hint: write it out, without interpolation", line: 3,
            column: 18),
        Mistake(
            attribute: #"@SceneStorageKey("a" + "b")"#,
            message: "the key is not a plain string literal; hint: write it out, without interpolation", line: 3,
            column: 18),
        Mistake(
            attribute: #"@SceneStorageKey("")"#, message: "the key is empty; hint: give it 1 to 256 bytes", line: 3,
            column: 18),
        Mistake(
            attribute: "@SceneStorageKey(\"\(String(repeating: "é", count: 129))\")",
            message: "the key has 258 bytes; hint: give it 1 to 256 bytes", line: 3, column: 18),
        Mistake(
            attribute: "@SceneStorageKey",
            message: "the key is missing; hint: write it, such as '@SceneStorageKey(\"name\")'", line: 3),
    ]

    private static let defaults = [
        Mistake(
            property: "var property: Int",
            message: "'Int' needs a default, because a scene can lack a value; "
                + "hint: add 'defaultValue:', or use 'Int?'", line: 3),
        Mistake(
            attribute: #"@SceneStorageKey("key", defaultValue: 1)"#, property: "var property: Int = 2",
            message: "the property has two default values; "
                + "hint: remove 'defaultValue:' or the initial value", column: 21),
    ]
}
