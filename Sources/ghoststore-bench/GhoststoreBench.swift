import ArgumentParser

@main
struct GhoststoreBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ghoststore-bench",
        abstract: "Measures a ghoststored, and compares it with its peers on this machine.",
        subcommands: [RunCommand.self, CompareCommand.self],
        defaultSubcommand: RunCommand.self)
}
