import ArgumentParser
import StoreClient

struct ScenesWatchCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Follow a scene's values, and the shared ones, as they are committed.",
        discussion: "Goes on until it is interrupted, across restarts of the daemon.")

    @Argument(help: "The scene.")
    var scene: String

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Replay the changes with a greater revision first.", valueName: "revision"))
    var after: UInt64?

    @Option(help: ArgumentHelp("End after so many changes.", valueName: "number"))
    var count: Int?

    func validate() throws {
        guard !scene.isEmpty else {
            throw ValidationError("the scene is empty")
        }
        guard (count ?? 1) > 0 else {
            throw ValidationError("--count is at least 1")
        }
    }

    func run(_ session: Session) async throws {
        try await ChangeFollowing(after: after, count: count).run(WatchFilter(scene: scene), session)
    }
}
