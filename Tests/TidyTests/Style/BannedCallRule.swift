/// A construct that must not appear, where, and why.
///
/// The pattern is made when asked for because a `Regex` is not Sendable.
struct BannedCall: Sendable {
    /// What every match holds, to pass over other lines fast.
    var hint: String
    var pattern: @Sendable () -> Regex<Substring>
    var reason: String
    /// Targets in which it is allowed.
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
            // A library object has no service group of its own: its one task is kept by it and ends with it.
            allowedIn: ["SceneStorage"]),
        BannedCall(
            hint: "unsafeBitCast", pattern: { /\bunsafeBitCast\(/ },
            reason: "unsafeBitCast; say the conversion in types",
            allowedIn: ["SQLCipher", "StoreCrypto"]),
        BannedCall(
            hint: "sleep", pattern: { /\bThread\.sleep|\busleep\(|\bsleep\(\d/ },
            reason: "sleeping on a thread; wait for the event itself", allowedIn: ["ghoststore-bench"]),
    ]

    /// What must not appear in tests beside: what traps there ends the process, and with it every test after it.
    static let inTests: [BannedCall] = [
        BannedCall(
            hint: "..", pattern: { /[\w)\]}?`]\[(?:[\d_]+\.\.[.<][\d_]*|\.\.[.<][\d_]+)\]/ },
            reason: "a fixed part of what may be shorter traps; use dropFirst and prefix")
    ]

    func findings(_ source: SwiftSource) -> [Finding] {
        allowedIn.contains(source.target) ? [] : source.findings(pattern(), hint: hint, reason)
    }
}
