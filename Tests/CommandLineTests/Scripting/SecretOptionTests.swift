import GhostTestSupport
import Testing

/// Secrets are never words of a command line, which other users see and shells keep.
@Suite struct SecretOptionTests {
    @Test func `no option has a secret as its value`() async throws {
        for (path, command) in try await CommandTree.whole() {
            for argument in command.arguments ?? [] where argument.kind != .flag {
                let name = argument.title.lowercased()
                let isSecret = ["passphrase", "secret", "password", "recovery-code", "key-file"].contains {
                    name.contains($0)
                }
                guard isSecret else { continue }
                #expect(
                    name.hasSuffix("-file") || name.hasSuffix("-fd") || name.hasSuffix("-output"),
                    "\(path) \(argument.title)")
            }
        }
    }
}
