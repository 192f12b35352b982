import FoundationEssentials
import GhostTestSupport
import SceneStorage
import StoreClient
import Testing

@Suite struct MacroExampleTests {
    @Test func `the documented example stores its values`() async throws {
        try await withDaemonAndClient { _, client in
            try await documentedExample(store: client)
            let scene = try await SceneStorage(client: client, sceneID: "main-window")
            let settings = Settings(sceneStorage: scene)
            #expect(settings.age == 25 && settings.name == "John Doe" && !settings.isLoggedIn)
            try await scene.close()
        }
    }

    @Test func `the data types in the README of the original library are stored`() async throws {
        try await TestScene.with { scene in
            let sample = DataSettings(sceneStorage: scene.storage)
            #expect(sample.score == 0 && sample.avatarData == nil && sample.settings == nil && sample.urls == nil)
            sample.score = 99.5
            sample.avatarData = Data([1, 2, 3])
            sample.settings = ["theme": "dark", "size": 12]
            sample.urls = URL(string: "https://example.org").map { [$0] }
            try await scene.asReadElsewhere { storage in
                let other = DataSettings(sceneStorage: storage)
                #expect(other.score == 99.5 && other.avatarData == Data([1, 2, 3]))
                #expect(other.settings?["theme"] as? String == "dark" && other.settings?["size"] as? Int == 12)
                #expect(other.urls?.first?.absoluteString == "https://example.org")
            }
        }
    }

    @Test(arguments: ["docs/scene-macros.md", "docs/libraries.md"])
    func `the compiled example is the one in the documents`(_ path: String) throws {
        let parts = try Self.lines(path).split(separator: "```swift").dropFirst()
            .map { $0.prefix { $0 != "```" } }
        let shown = try #require(parts.first { $0.contains("import SceneStorageMacros") })
        let compiled = try Self.lines("Tests/SceneStorageMacrosTests/Example/DocumentedExample.swift")
        var rest = compiled[...]
        for line in shown where !line.isEmpty {
            let place = try #require(rest.firstIndex(of: line), "\(path) shows '\(line)', which is not compiled")
            rest = rest[(place + 1)...]
        }
        #expect(shown.count > 10)
    }

    /// Returns the lines of a file of this repository without their indentation.
    private static func lines(_ path: String) throws -> [String] {
        let data = try #require(FileManager.default.contents(atPath: "\(BuiltPrograms.packageDirectory)/\(path)"))
        return String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0.drop { $0 == " " }) }
    }
}
