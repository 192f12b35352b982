import ArgumentParser

/// Parts of a comparison, so that one can be measured alone.
enum ComparisonPart: String, CaseIterable, ExpressibleByArgument, Sendable {
    case save
    case get
    case list
    case append
    case scenes
    case memory
    case start
    case scale
    case scenarios

    var summary: String {
        switch self {
        case .save: "durable saves against Redis and PostgreSQL"
        case .get: "get of one message against a C echo"
        case .list: "list of 100 against SQLCipher in C, and PostgreSQL"
        case .append: "durable appends to a log against a Redis stream"
        case .scenes: "durable sets and gets of a scene's key against a Redis hash, without a goal"
        case .memory: "resident memory, idle and with 1,000 connections"
        case .start: "start to ready with a key file"
        case .scale: "get and list on a big store against a small one"
        case .scenarios: "mixed, watch, connect, the client library and message files, without a goal"
        }
    }
}

struct ComparisonPlan: Sendable {
    var parts: Set<ComparisonPart>
    /// Rounds in alternation; the medians count.
    var rounds: Int
    var duration: LoopDuration
    var bigStoreMessages: Int
    /// Where the stores of all sides are made.
    var scratchParent: String
    var daemonProgram: String
    /// Directory of epoll_echo and sqlcipher_list.
    var peerPrograms: String

    static let clientCounts = [1, 16, 64]
    static let smallStoreMessages = 10_000
    static let messagesPerConversation = 1_000
    static let connectionsForMemory = 1_000
    static let startsPerMeasurement = 7
}
