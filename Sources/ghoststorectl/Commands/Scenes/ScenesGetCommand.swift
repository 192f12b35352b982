import ArgumentParser
import StoreClient

struct ScenesGetCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Show values of a scene, its own before the shared ones.")

    @Argument(help: "The scene; '' for what all scenes share.")
    var scene: String

    @Argument(help: "Keys to show; every key by default. A single key that is not there is an error.")
    var keys: [String] = []

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Print the value of one key and nothing else; data as it is.")
    var raw = false

    func validate() throws {
        guard !raw || keys.count == 1 else {
            throw ValidationError("--raw is for one key")
        }
    }

    func run(_ session: Session) async throws {
        let found =
            scene.isEmpty
            ? try await session.client.globalSceneValues(keys: keys)
            : try await session.client.sceneValues(scene, keys: keys)
        if keys.count == 1, found.isEmpty {
            throw CommandFailure(.notFound, "the key has no value in this scene, and none is shared")
        }
        guard raw, let value = found.first?.value else {
            return try session.output.show(found, emptyText: "no values")
        }
        if case .data(let bytes) = value {
            try session.output.raw(bytes)
        } else {
            try session.output.line(value.plainText)
        }
    }
}
