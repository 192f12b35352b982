import FoundationEssentials
import GhostTestSupport
import SceneStorage
import StoreClient
import Testing

/// The examples of AppSceneStorage's documentation, translated to this library.
@Suite(.timeLimit(.minutes(1))) struct SceneExampleTests {
    /// The example "Custom Scene Storage": an object that keeps its preferences in a scene.
    private struct Preferences {
        let sceneStorage: SceneStorage

        func saveUserPreference(_ value: String, forKey key: String) {
            sceneStorage.set(value, forKey: key)
        }

        func getUserPreference(forKey key: String) -> String? {
            sceneStorage.string(forKey: key)
        }
    }

    @Test func `preferences are stored under a scene id`() async throws {
        try await withScene("unique_scene_id") { storage, client in
            let preferences = Preferences(sceneStorage: storage)
            #expect(preferences.getUserPreference(forKey: "language") == nil)
            preferences.saveUserPreference("nb", forKey: "language")
            #expect(preferences.getUserPreference(forKey: "language") == "nb")
            try await storage.flush()
            #expect(try await client.sceneValues("unique_scene_id").map(\.value) == [.string("nb")])
        }
    }

    @Test func `the example of basic operations gives its documented results`() async throws {
        try await withScene("unique_scene_id") { storage, _ in
            storage.set("value", forKey: "key")
            #expect(storage.object(forKey: "key") as? String == "value")
            storage.removeObject(forKey: "key")
            #expect(storage.object(forKey: "key") == nil)
        }
    }

    @Test func `the example of type-specific getters gives its documented results`() async throws {
        try await withScene("unique_scene_id") { storage, client in
            let avatar = Data([1, 2, 3])
            let page = try #require(URL(string: "https://example.org/a?b#c"))
            storage.set("John Doe", forKey: "user_name")
            storage.set(25, forKey: "user_age")
            storage.set(true, forKey: "is_logged_in")
            storage.set(99.5, forKey: "user_score")
            storage.set(Float(0.5), forKey: "volume")
            storage.set(page, forKey: "page")
            storage.set(avatar, forKey: "user_avatar")
            storage.set(["a", "b"], forKey: "names")
            let settings: [String: Any] = ["theme": "dark", "size": 12, "tags": ["x", 1] as [Any]]
            storage.set(settings, forKey: "user_settings")
            try await storage.flush()
            for storage in [storage, try await SceneStorage(client: client, sceneID: "unique_scene_id")] {
                #expect(storage.string(forKey: "user_name") == "John Doe")
                #expect(storage.integer(forKey: "user_age") == 25)
                #expect(storage.bool(forKey: "is_logged_in"))
                #expect(storage.double(forKey: "user_score") == 99.5)
                #expect(storage.float(forKey: "volume") == 0.5)
                #expect(storage.url(forKey: "page") == page)
                #expect(storage.data(forKey: "user_avatar") == avatar)
                #expect(storage.array(forKey: "names")?.count == 2)
                #expect(storage.stringArray(forKey: "names") == ["a", "b"])
                let dictionary = try #require(storage.dictionary(forKey: "user_settings"))
                #expect(dictionary["theme"] as? String == "dark")
                #expect(dictionary["size"] as? Int == 12)
                #expect((dictionary["tags"] as? [Any])?.last as? Int == 1)
            }
        }
    }

    @Test func `scene data has precedence over shared values, and these over defaults`() async throws {
        try await withScene("first") { first, client in
            let second = try await SceneStorage(client: client, sceneID: "second")
            first.register(defaults: ["user_age": 24, "theme": "light"])
            #expect(first.integer(forKey: "user_age") == 24)
            second.set(30, forKey: "user_age")
            try await second.flush()
            try await eventually("the first scene falls back to what the second set") {
                first.integer(forKey: "user_age") == 30
            }
            first.set(31, forKey: "user_age")
            #expect(first.integer(forKey: "user_age") == 31)
            #expect(second.integer(forKey: "user_age") == 30)
            first.removeObject(forKey: "user_age")
            #expect(first.integer(forKey: "user_age") == 24)
            #expect(first.string(forKey: "theme") == "light")
            try await first.close()
            #expect(second.integer(forKey: "user_age") == 30)
            try await second.close()
        }
    }

    @Test func `absent and differently typed values give the results of UserDefaults`() async throws {
        try await withScene("main") { storage, _ in
            #expect(storage.integer(forKey: "none") == 0)
            #expect(!storage.bool(forKey: "none"))
            #expect(storage.double(forKey: "none") == 0 && storage.float(forKey: "none") == 0)
            #expect(storage.string(forKey: "none") == nil && storage.url(forKey: "none") == nil)
            #expect(storage.data(forKey: "none") == nil && storage.array(forKey: "none") == nil)
            #expect(storage.dictionary(forKey: "none") == nil && storage.stringArray(forKey: "none") == nil)
            storage.set("12", forKey: "text")
            #expect(storage.integer(forKey: "text") == 12 && storage.bool(forKey: "text"))
            storage.set(7, forKey: "number")
            #expect(storage.string(forKey: "number") == "7" && storage.double(forKey: "number") == 7)
            #expect(storage.data(forKey: "number") == nil && storage.array(forKey: "number") == nil)
            storage.set([1, 2], forKey: "numbers")
            #expect(storage.stringArray(forKey: "numbers") == nil)
        }
    }
}
