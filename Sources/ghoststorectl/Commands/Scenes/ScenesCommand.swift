import ArgumentParser

struct ScenesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenes", abstract: "Typed values under keys, per scene and shared.",
        discussion: """
            Setting a key sets the scene's own value and the one all scenes share; reading a key gives the scene's own \
            value, else the shared one; removing a key removes both. An empty scene ('') means what all scenes share.
            """,
        subcommands: [
            ScenesSetCommand.self, ScenesGetCommand.self, ScenesListCommand.self, ScenesRemoveCommand.self,
            ScenesWatchCommand.self,
        ])
}
