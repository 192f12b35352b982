import FoundationEssentials
import SceneStorage
import SceneStorageMacros
import StoreClient

// The example of docs/scene-macros.md, copied line by line. `MacroExampleTests` compares the two.

@SceneStorage
final class Settings {
    @SceneStorageKey("user_age", defaultValue: 24) var age: Int
    @SceneStorageKey("user_name") var name: String?
    @SceneStorageKey("is_logged_in", defaultValue: false) var isLoggedIn: Bool
}

func documentedExample(store: StoreClient) async throws {
    let scene = try await SceneStorage(client: store, sceneID: "main-window")
    let settings = Settings(sceneStorage: scene)
    settings.age = 25
    settings.name = "John Doe"
    try await scene.flush()
    try await scene.close()
}

/// The example of data types in the README of AppSceneStorage, the library from which applications migrate.
@SceneStorage
final class DataSettings {
    @SceneStorageKey("user_score", defaultValue: 0.0) var score: Double
    @SceneStorageKey("user_avatar") var avatarData: Data?
    @SceneStorageKey("user_settings") var settings: [String: Any]?
    @SceneStorageKey("user_urls") var urls: [URL]?
}
