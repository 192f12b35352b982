import ArgumentParser

/// Parts of what is measured of a group, so that one can be measured alone.
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
    /// nats-servers: 1 or 3.
    var serverCount: Int
    /// Saves of each line of the latency.
    var samples: Int
    /// Of the throughput and of the cost.
    var duration: LoopDuration
    /// Of the cost, in alternation; the medians count.
    var rounds: Int
    /// Messages of the catch-up.
    var messages: Int
    /// What would be on other machines takes only what the first device leaves of the processors.
    var othersYield: Bool
    var scratchParent: String
    /// Of what would be on other machines.
    var othersScratchParent: String
    var programs: ReplicationPrograms

    /// Starts what would be on another machine.
    var elsewhere: [String] { othersYield ? ["nice", "-n", "19"] : [] }

    static let clientCounts = [1, 8]
    /// Saves a second of the paced cost, from `pacedClientCount` connections.
    static let paces = [200, 1_000]
    static let pacedClientCount = 8
    /// Between two saves that are to meet a group at rest.
    static let restMilliseconds = 60.0
    /// What takes part in the groups.
    static let selection = ["conversations", "contacts"]
}

/// How saves are asked for.
enum SaveLoad: Sendable {
    /// Each client sends the next one when it has its answer.
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
    /// Conversations for clients to save into, without a message.
    static var empty: DataSet { DataSet(conversationCount: 1, messageCount: 0) }
}
