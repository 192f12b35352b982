import Testing

@Suite struct SecretTypeTests {
    @Test func `no secret is in a copied type, and no log line contains content of users`() throws {
        let findings = try Repository.sources().flatMap { SecretRule.findings($0) + SecretRule.loggedContent($0) }
        expectNone(findings)
    }

    @Test(
        arguments: [
            "let passphrase: String", "var oldPassphrase: [UInt8]", "func a(secret: Data)", "recoveryCode: String?",
        ])
    func `a secret in a copying type is found`(_ line: String) {
        #expect(SecretRule.findings(SwiftSource(path: "Sources/A/x.swift", text: line)).count == 1)
    }

    @Test(arguments: ["let passphraseFile: String", "let secret: SecretBytes", "let passphrase: Data.Index"])
    func `what is not a secret, or is in secret memory, is not found`(_ line: String) {
        #expect(SecretRule.findings(SwiftSource(path: "Sources/A/x.swift", text: line)).isEmpty)
    }

    @Test func `a log line with a message's text is found`() {
        let source = SwiftSource(path: "Sources/A/x.swift", text: #"logger.info("saved \(message.text)")"#)
        #expect(SecretRule.loggedContent(source).count == 1)
    }
}
