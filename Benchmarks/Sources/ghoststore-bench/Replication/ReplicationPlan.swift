import ArgumentParser

/// The parts of a replication measurement, each of which can be measured alone.
enum ReplicationPart: String, CaseIterable, ExpressibleByArgument, Sendable {
    case latency
    case throughput
    case catchUp = "catch-up"
    case cost
    case pacedCost = "cost-paced"
    case pinnedCost = "cost-pinned"

    var summary: String {
        switch self {
        case .latency: "from sending a save on one device to the event of a watch on another"
        case .throughput: "saves on one device, and on both at once, until both devices have all of them"
        case .catchUp: "a device that joins a group with messages, and a device whose agent was stopped meanwhile"
        case .cost: "saves in a store without a group and in a store with a group, in alternation"
        case .pacedCost: "saves at a fixed rate that is far below any limit, in both stores in alternation"
        case .pinnedCost: "the same as cost, with one processor only for the clients and their daemon"
        }
    }
}

struct ReplicationPlan: Sendable {
    var parts: Set<ReplicationPart>
    /// The number of nats-servers: 1 or 3.
    var serverCount: Int
    /// The number of measured saves in each row of the latency table.
    var samples: Int
    /// The duration of a throughput or cost measurement.
    var duration: LoopDuration
    /// The number of rounds of a cost measurement. In each round, every store is measured once. The result is the
    /// median of the rounds.
    var rounds: Int
    /// The number of messages that a device must receive in each catch-up measurement.
    var messages: Int
    /// True to give the lowest priority to everything that would run on other machines in real use.
    var othersYield: Bool
    var scratchParent: String
    /// The scratch directory for everything that would be on other machines in real use.
    var othersScratchParent: String
    var programs: ReplicationPrograms

    /// The command prefix for programs that would run on another machine in real use.
    var elsewhere: [String] { othersYield ? ["nice", "-n", "19"] : [] }

    static let clientCounts = [1, 8]
    /// The saves per second of the measurements of the paced cost, from `pacedClientCount` connections.
    static let paces = [200, 1_000]
    static let pacedClientCount = 8
    /// The pause between two saves, so that each finds an idle group.
    static let restMilliseconds = 60.0
    /// The areas of the store that the groups replicate.
    static let selection = ["conversations", "contacts"]
}

/// The way in which saves are requested.
enum SaveLoad: Sendable {
    /// Each client sends the next save after the response to the previous one.
    case closed(clients: Int)
    case paced(perSecond: Int)

    var clients: Int {
        switch self {
        case .closed(let clients): clients
        case .paced: ReplicationPlan.pacedClientCount
        }
    }

    var perSecond: Int? {
        switch self {
        case .closed: nil
        case .paced(let perSecond): perSecond
        }
    }
}

extension DataSet {
    /// A data set without messages, for clients that save into its conversations.
    static var empty: DataSet { DataSet(conversationCount: 1, messageCount: 0) }
}
