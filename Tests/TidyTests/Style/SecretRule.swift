/// Secrets live in wiped, locked memory: never in a type that copies itself.
enum SecretRule {
    static func findings(_ source: SwiftSource) -> [Finding] {
        let declaration =
            #/
            \b\w*(?:passphrase|secret|masterKey|recoveryCode|keyBytes)\s*:\s*
            (?:String|Substring|Data|\[UInt8\])(?![\w.])
            /#
        return source.findings(
            declaration.ignoresCase(), hint: ":", "a secret in a type that copies; use SecretBytes or SecretInput")
    }

    /// Log calls and error messages must not interpolate what a user stored.
    static func loggedContent(_ source: SwiftSource) -> [Finding] {
        let call =
            #/
            \blog(?:ger)?\.(?:trace|debug|info|notice|warning|error|critical)\(
            .*\(.*\b(?:text|displayName|notes|avatar|passphrase|secret)\b
            /#
        return source.findings(call, hint: "log", "a log line that may carry content")
    }
}
