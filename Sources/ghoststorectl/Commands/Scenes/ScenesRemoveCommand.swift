import ArgumentParser
import StoreClient

struct ScenesRemoveCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove keys, or a scene.",
        discussion: """
            With keys: they are gone from the scene and from what all scenes share. Without: the scene's own values \
            are gone, and what it shares with others stays.
            """)

    @Argument(help: "The scene; with keys, '' for what all scenes share.")
    var scene: String

    @Argument(help: "Keys to remove; the whole scene by default.")
    var keys: [String] = []

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        guard keys.isEmpty else {
            return try session.show(try await session.client.change(scene, keys.map { .remove($0) }))
        }
        try session.show(try await session.client.removeScene(scene))
    }
}
