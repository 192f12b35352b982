import GhostTestSupport
import Testing

@testable import ghoststorectl

/// Compares the commands that completion, hints and usage lines know with ArgumentParser's description of all commands.
@Suite struct CommandSyntaxTests {
    @Test func `every command is found with its options and subcommands`() async throws {
        let tree = try await CommandTree.whole()
        #expect(tree.count > 60)
        for (path, command) in tree {
            var walk = CommandLineWalk()
            for word in path {
                guard case .known = walk.step(word) else {
                    Issue.record("\(path) is not known")
                    break
                }
            }
            let arguments = command.arguments ?? []
            let options = arguments.flatMap { argument in argument.words.map { ($0, argument.kind == .option) } }
            #expect(walk.path == path)
            #expect(walk.node.options == Dictionary(uniqueKeysWithValues: options), "\(path)")
            #expect(Set(walk.node.commands.keys) == Set((command.subcommands ?? []).map(\.commandName)), "\(path)")
        }
    }
}
