/// A construct that is not allowed, with the reason and the targets that are excepted.
///
/// The pattern is a closure because a `Regex` is not Sendable.
struct BannedCall: Sendable {
    /// A text that every match contains. Lines without it are skipped quickly.
    var hint: String
    var pattern: @Sendable () -> Regex<Substring>
    var reason: String
    /// The targets in which the construct is allowed.
    var allowedIn: Set<String> = []

    static let all: [BannedCall] = [
        BannedCall(hint: "try!", pattern: { /\btry!/ }, reason: "try! traps on an operating error; throw it"),
        BannedCall(
            hint: "as!", pattern: { /\bas!/ }, reason: "as! traps on a value of the wrong type; use as? and throw"),
        BannedCall(
            hint: "fatalError", pattern: { /\bfatalError\(/ },
            reason: "fatalError; assert with precondition, throw what can happen"),
        BannedCall(
            hint: "!", pattern: { /[\w)\]]!(?!=)/ },
            reason: "force unwrap; use guard let and throw, or precondition with words"),
        BannedCall(
            hint: "print(", pattern: { /\bprint\((?!.*\binto\b)/ }, reason: "print; log through swift-log",
            allowedIn: ["ghoststored", "ghoststorectl", "ghoststore-sync", "ghoststore-bench"]),
        BannedCall(
            hint: "assert(", pattern: { /\bassert\(/ }, reason: "assert vanishes in release builds; use precondition"),
        BannedCall(
            hint: "Task", pattern: { /\bTask(?:\.detached)?\s*(?:\([^)]*\))?\s*\{/ },
            reason: "a loose Task; make it a Service or a child task",
            // An object of this library has no service group. The object keeps its only task, which ends when the
            // object is released.
            allowedIn: ["SceneStorage"]),
        BannedCall(
            hint: "unsafeBitCast", pattern: { /\bunsafeBitCast\(/ },
            reason: "unsafeBitCast; say the conversion in types",
            allowedIn: ["SQLCipher", "StoreCrypto"]),
        BannedCall(
            hint: "sleep", pattern: { /\bThread\.sleep|\busleep\(|\bsleep\(\d/ },
            reason: "sleeping on a thread; wait for the event itself", allowedIn: ["ghoststore-bench"]),
    ]

    /// Constructs that are also not allowed in tests. A trap ends the test process, so later tests do not run.
    static let inTests: [BannedCall] = [
        BannedCall(
            hint: "..", pattern: { /[\w)\]}?`]\[(?:[\d_]+\.\.[.<][\d_]*|\.\.[.<][\d_]+)\]/ },
            reason: "a fixed part of what may be shorter traps; use dropFirst and prefix")
    ]

    func findings(_ source: SwiftSource) -> [Finding] {
        allowedIn.contains(source.target) ? [] : source.findings(pattern(), hint: hint, reason)
    }
}
