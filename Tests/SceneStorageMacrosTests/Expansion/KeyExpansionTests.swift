import Testing

@Suite struct KeyExpansionTests {
    @Test func `an optional property reads and writes the key`() {
        expectProperty(
            #"@SceneStorageKey("user_name")"#, "var name: String?",
            expandsTo: """
                var name: String? {
                    get {
                        _$sceneStorage.value(String.self, forKey: "user_name")
                    }
                    set {
                        _$sceneStorage.setValue(newValue, forKey: "user_name")
                    }
                }
                """)
    }

    @Test func `a property that is not optional returns its default if the scene has no value`() {
        expectProperty(
            #"@SceneStorageKey("user_age", defaultValue: 24)"#, "var age: Int",
            expandsTo: """
                var age: Int {
                    get {
                        if let stored = _$sceneStorage.value(Int.self, forKey: "user_age") {
                            return stored
                        }
                        return 24
                    }
                    set {
                        _$sceneStorage.setValue(newValue, forKey: "user_age")
                    }
                }
                """)
    }

    @Test func `an initial value is used as the default`() {
        expectProperty(
            #"@SceneStorageKey("theme")"#, "var theme: Theme = .light",
            expandsTo: """
                var theme: Theme {
                    get {
                        if let stored = _$sceneStorage.value(Theme.self, forKey: "theme") {
                            return stored
                        }
                        return .light
                    }
                    set {
                        _$sceneStorage.setValue(newValue, forKey: "theme")
                    }
                }
                """)
    }

    @Test(
        arguments: [
            "condition ? 1 : 2", "a ?? b", "try! load()", "[1, 2].count", "-1", "Int.max", "newValue",
            "stored",
        ])
    func `any default expression is copied unchanged`(expression: String) {
        expectProperty(
            #"@SceneStorageKey("key", defaultValue: \#(expression))"#, "var number: Int",
            expandsTo: """
                var number: Int {
                    get {
                        if let stored = _$sceneStorage.value(Int.self, forKey: "key") {
                            return stored
                        }
                        return \(expression)
                    }
                    set {
                        _$sceneStorage.setValue(newValue, forKey: "key")
                    }
                }
                """)
    }

    @Test(
        arguments: [
            ("Int?", "Int"), ("Optional<Int>", "Int"), ("Swift.Optional<Int>", "Int"), ("(Int)?", "Int"),
            ("(Int?)", "Int"),
            ("Swift.Int?", "Swift.Int"), ("[String]?", "[String]"), ("[String: [Data]]?", "[String: [Data]]"),
            ("Array<Float>?", "Array<Float>"), ("Dictionary<String, URL>?", "Dictionary<String, URL>"),
            ("Bool?", "Bool"), ("Double?", "Double"), ("SceneValue?", "SceneValue"), ("Theme?", "Theme"),
        ])
    func `every spelling of an optional type reads its wrapped type`(type: String, stored: String) {
        expectProperty(
            #"@SceneStorageKey("key")"#, "var property: \(type)",
            expandsTo: """
                var property: \(type) {
                    get {
                        _$sceneStorage.value(\(stored).self, forKey: "key")
                    }
                    set {
                        _$sceneStorage.setValue(newValue, forKey: "key")
                    }
                }
                """)
    }

    @Test(
        arguments: [
            ("Any?", "object"), ("[Any]?", "array"), ("[String: Any]?", "dictionary"), ("Array<Any>?", "array"),
            ("Dictionary<String, Any>?", "dictionary"), ("Swift.Array<Any>?", "array"),
        ])
    func `a type made of Any is read as a property list`(type: String, getter: String) {
        expectProperty(
            #"@SceneStorageKey("key")"#, "var property: \(type)",
            expandsTo: """
                var property: \(type) {
                    get {
                        _$sceneStorage.\(getter)(forKey: "key")
                    }
                    set {
                        _$sceneStorage.set(newValue, forKey: "key")
                    }
                }
                """)
    }

    @Test(
        arguments: [
            "public", "private", "package", "public private(set)", "nonisolated", "final public",
        ])
    func `access levels and other modifiers are kept`(modifiers: String) {
        expectProperty(
            #"@SceneStorageKey("key")"#, "\(modifiers) var property: Int?",
            expandsTo: """
                \(modifiers) var property: Int? {
                    get {
                        _$sceneStorage.value(Int.self, forKey: "key")
                    }
                    set {
                        _$sceneStorage.setValue(newValue, forKey: "key")
                    }
                }
                """)
    }

    @Test(
        arguments: [
            ##"#"a"b"#"##, #""emoji 👻 \u{e9}""#, #""a\"b""#,
        ])
    func `a key is copied as it is written`(key: String) {
        expectProperty(
            "@SceneStorageKey(\(key))", "var property: Int?",
            expandsTo: """
                var property: Int? {
                    get {
                        _$sceneStorage.value(Int.self, forKey: \(key))
                    }
                    set {
                        _$sceneStorage.setValue(newValue, forKey: \(key))
                    }
                }
                """)
    }

    @Test func `an attribute written with its module name counts as well`() {
        expectExpansion(
            of: """
                @SceneStorageMacros.SceneStorage
                actor Settings {
                    @SceneStorageKey("key") var property: Int?
                }
                """,
            is: """
                @SceneStorageMacros.SceneStorage
                actor Settings {
                    var property: Int? {
                        get {
                            _$sceneStorage.value(Int.self, forKey: "key")
                        }
                        set {
                            _$sceneStorage.setValue(newValue, forKey: "key")
                        }
                    }
                }
                """)
    }
}
