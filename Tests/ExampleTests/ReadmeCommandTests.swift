import GhostTestSupport
import TestBasics
import Testing

@Suite struct ReadmeCommandTests {
    @Test func `every ghoststorectl command of the README does what it says`() async throws {
        let block = try #require(
            try Document.blocks("sh", of: "README.md").first { $0.hasPrefix("sudo ghoststorectl init") })
        try await withDaemon(.uninitialized) { daemon in
            let passphrase = try daemon.directory.write(Array("correct horse battery staple".utf8), to: "passphrase")
            _ = try daemon.directory.write([0xff, 0xd8], to: "photo.jpg")
            for line in block.split(separator: "\n") {
                let command = try Self.runnable(String(line), passphraseFile: passphrase)
                let result = try await Program.shell(
                    "cd '\(daemon.directory.path)' && \(command)",
                    environment: ["GHOSTSTORE_SOCKET": daemon.socketPath], within: .seconds(120))
                #expect(result.exitCode == 0, "\(line): \(result.errorOutput)")
            }
        }
    }

    /// Prompts answered from a file, watching ended after one change, the store locked before it is unlocked.
    private static func runnable(_ line: String, passphraseFile: String) throws -> String {
        let program = try BuiltPrograms.path("ghoststorectl")
        var command = line.replacing(/\s*#.*$/, with: "").replacing("sudo ", with: "").replacing(
            "ghoststorectl", with: "'\(program)'")
        if command.hasSuffix(" init") {
            command += " --low-cost --passphrase-file '\(passphraseFile)'"
        } else if command.hasSuffix(" unlock") {
            command = "'\(program)' lock && \(command) --passphrase-file '\(passphraseFile)'"
        } else if command.contains(" watch ") {
            command += " --count 1"
        } else if command.hasSuffix(" --passphrase") {
            command += "-file '\(passphraseFile)'"
        }
        return command
    }
}
