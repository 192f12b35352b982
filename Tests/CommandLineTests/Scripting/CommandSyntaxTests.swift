import GhostTestSupport
import Testing

@testable import ghoststorectl

/// Compares the commands that completion, hints and usage lines know with ArgumentParser's description of all commands.
@Suite struct CommandSyntaxTests {
    @Test func `every command is found with its options, operands and subcommands`() async throws {
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
            let operands = arguments.count { $0.kind == .positional }
            let last = operands == 0 ? nil : "positional@\(operands - 1)"
            #expect(operands == 0 || walk.node.place(ofOperand: operands - 1) == last, "\(path)")
            #expect((walk.node.place(ofOperand: 0) == nil) == (operands == 0), "\(path)")
        }
    }
}
