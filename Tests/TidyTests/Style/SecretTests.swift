import Testing

@Suite("Secrets in code")
struct SecretTests {
    @Test("no declaration keeps a secret in a copying type, no log line names content")
    func sourcesHoldNone() throws {
        let findings = try Repository.sources().flatMap { SecretRule.findings($0) + SecretRule.loggedContent($0) }
        expectNone(findings)
    }

    @Test(
        "a secret in a copying type is found",
        arguments: [
            "let passphrase: String", "var oldPassphrase: [UInt8]", "func a(secret: Data)", "recoveryCode: String?",
        ])
    func copyingSecretIsFound(_ line: String) {
        #expect(SecretRule.findings(SwiftSource(path: "Sources/A/x.swift", text: line)).count == 1)
    }

    @Test(
        "what is not a secret, or is in secret memory, is not found",
        arguments: ["let passphraseFile: String", "let secret: SecretBytes", "let passphrase: Data.Index"])
    func harmlessDeclarationIsNotFound(_ line: String) {
        #expect(SecretRule.findings(SwiftSource(path: "Sources/A/x.swift", text: line)).isEmpty)
    }

    @Test("a log line with a message's text is found")
    func loggedContentIsFound() {
        let source = SwiftSource(path: "Sources/A/x.swift", text: #"logger.info("saved \(message.text)")"#)
        #expect(SecretRule.loggedContent(source).count == 1)
    }
}
