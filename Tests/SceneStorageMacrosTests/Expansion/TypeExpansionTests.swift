import Testing

@Suite struct TypeExpansionTests {
    @Test func `a class gets the storage and an initializer with a parameter for it`() {
        expectExpansion(
            of: """
                @SceneStorage
                class Settings {
                }
                """,
            is: """
                class Settings {

                    private let _$sceneStorage: SceneStorage

                    init(sceneStorage: SceneStorage) {
                        _$sceneStorage = sceneStorage
                    }
                }
                """)
    }

    @Test(
        arguments: [
            ("public actor", "public "), ("open class", "public "), ("package final class", "package "),
            ("internal actor", ""), ("private class", ""), ("final class", ""),
        ])
    func `the initializer has the access level of the type`(introducer: String, access: String) {
        expectExpansion(
            of: """
                @SceneStorage
                \(introducer) Settings {
                }
                """,
            is: """
                \(introducer) Settings {

                    private let _$sceneStorage: SceneStorage

                    \(access)init(sceneStorage: SceneStorage) {
                        _$sceneStorage = sceneStorage
                    }
                }
                """)
    }

    @Test func `a type with its own initializer gets only the storage`() {
        expectExpansion(
            of: """
                @SceneStorage
                class Settings {
                    let title: String
                    init(title: String, storage: SceneStorage) {
                        self.title = title
                        _$sceneStorage = storage
                    }
                }
                """,
            is: """
                class Settings {
                    let title: String
                    init(title: String, storage: SceneStorage) {
                        self.title = title
                        _$sceneStorage = storage
                    }

                    private let _$sceneStorage: SceneStorage
                }
                """)
    }

    @Test(
        arguments: [
            ("class", "convenience init() { self.init(sceneStorage: shared) }"),
            ("actor", "init() { self.init(sceneStorage: shared) }"),
        ])
    func `an initializer that calls another one does not count as the type's own`(
        introducer: String, initializer: String
    ) {
        expectExpansion(
            of: """
                @SceneStorage
                \(introducer) Settings {
                    \(initializer)
                }
                """,
            is: """
                \(introducer) Settings {
                    \(initializer)

                    private let _$sceneStorage: SceneStorage

                    init(sceneStorage: SceneStorage) {
                        _$sceneStorage = sceneStorage
                    }
                }
                """)
    }

    @Test(
        arguments: [
            "let title = \"a\"", "var title: String?", "lazy var title = \"a\"", "static let title: String = \"a\"",
            "var title: String { \"a\" }", "var title = \"a\" { didSet {} }", "var title: String!",
        ])
    func `properties that need no initializer allow the generated one`(property: String) {
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

                    private let _$sceneStorage: SceneStorage

                    init(sceneStorage: SceneStorage) {
                        _$sceneStorage = sceneStorage
                    }
                }
                """)
    }
}
