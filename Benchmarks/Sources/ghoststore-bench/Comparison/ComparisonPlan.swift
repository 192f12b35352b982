import ArgumentParser
import Glibc
import StoreProtocol

/// The parts of a comparison, each of which can be measured alone.
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
        case .save: "durable saves against Redis, PostgreSQL and a C program that only seals and syncs"
        case .get: "get of one message against a C echo"
        case .list: "list of 100 against SQLCipher in C, PostgreSQL and a C echo"
        case .append: "durable appends to a log against a Redis stream and the C program that seals"
        case .scenes: "durable sets and gets of a scene's key against a Redis hash, sets against the C program"
        case .memory: "resident memory, idle and with 1,000 connections"
        case .start: "start to ready with a key file"
        case .scale: "get and list on a big store against a small one, and against SQLCipher in C with the same number"
        case .scenarios: "mixed, watch, connect, the client library and message files, without a goal"
        }
    }
}

struct ComparisonPlan: Sendable {
    var parts: Set<ComparisonPart>
    /// The number of rounds. In each round, the daemon and its peer are measured in turn. The result is the median of
    /// the rounds.
    var rounds: Int
    var duration: LoopDuration
    var bigStoreMessages: Int
    /// The directory in which the stores of the daemon and of its peers are created.
    var scratchParent: String
    var daemonProgram: String
    /// The directory of epoll_echo, journal_floor and sqlcipher_reads.
    var peerPrograms: String

    static let clientCounts = [1, 16, 64]
    static let smallStoreMessages = 10_000
    static let messagesPerConversation = 1_000
    static let connectionsForMemory = 1_000
    static let startsPerMeasurement = 7
}

/// A large number of open, idle connections.
final class ConnectionCrowd {
    let count: Int
    private var connections: UnsafeMutableBufferPointer<FrameConnection>
    private var openCount = 0

    init(count: Int, socketPath: String) throws(BenchError) {
        self.count = count
        connections = .allocate(capacity: count)
        try Self.raiseDescriptorLimit(to: count + 64)
        for index in 0..<count {
            connections.initializeElement(at: index, to: try FrameConnection(to: socketPath))
            openCount += 1
        }
    }

    /// Sends one ping on each connection, which proves that the daemon serves all of them.
    func pingAll() throws(BenchError) {
        for index in 0..<openCount {
            try connections[index].ping()
        }
    }

    func close() {
        for index in 0..<openCount {
            connections.deinitializeElement(at: index)
        }
        openCount = 0
    }

    private static func raiseDescriptorLimit(to count: Int) throws(BenchError) {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        getrlimit(resource, &limit)
        guard limit.rlim_cur < rlim_t(count) else { return }
        limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
        guard limit.rlim_cur >= rlim_t(count), setrlimit(resource, &limit) == 0 else {
            throw BenchError("only \(limit.rlim_max) files may be open; hint: ulimit -n \(count)")
        }
    }

    deinit {
        close()
        connections.deallocate()
    }
}
