/// The rules that secrets are kept in locked memory that is wiped, never in a type whose values are copied, and that
/// logs contain no content of users.
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

    /// Returns a finding for each log call or error message that interpolates content of users.
    static func loggedContent(_ source: SwiftSource) -> [Finding] {
        let call =
            #/
            \blog(?:ger)?\.(?:trace|debug|info|notice|warning|error|critical)\(
            .*\(.*\b(?:text|displayName|notes|avatar|passphrase|secret)\b
            /#
        return source.findings(call, hint: "log", "a log line that may carry content")
    }
}
