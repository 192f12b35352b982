import ReplicaModel
import Synchronization

/// What the agent counts, for the metrics file and the status line. Channels count by their kind: which device sends
/// how much is nobody's business there.
final class AgentFigures: Sendable {
    enum Gauge: String, Sendable, CaseIterable {
        case connected
        case channelsOut = "channels_out"
        case channelsFollowed = "channels_followed"
        case waitingChannels = "waiting_channels"
        case unpublishedMessages = "unpublished_messages"
        case forkedChannels = "forked_channels"
        case gappedChannels = "gapped_channels"
    }

    struct Counter: Sendable, Hashable, Comparable {
        let name: String
        /// `label="value"`, or nothing.
        let labels: String

        static func < (left: Counter, right: Counter) -> Bool {
            (left.name, left.labels) < (right.name, right.labels)
        }
    }

    private struct State {
        var gauges: [Gauge: UInt64] = [:]
        var counters: [Counter: UInt64] = [:]
        /// Messages that are still to be delivered, by channel.
        var pending: [ReplicaChannel: UInt64] = [:]
        var reasons: Set<String> = []
        var line = "starting"
    }

    private let state = Mutex(State())
    /// Reasons are the daemon's; more of them than it has would be a flood.
    private static let reasonsMax = 64

    func set(_ gauge: Gauge, _ value: Int) {
        state.withLock { $0.gauges[gauge] = UInt64(max(0, value)) }
    }

    func count(_ name: String, _ labels: String = "", by amount: Int = 1) {
        state.withLock { $0.counters[Counter(name: name, labels: labels), default: 0] &+= UInt64(max(0, amount)) }
    }

    func published(_ kind: ReplicaChannel.Kind, bytes: Int) {
        count("published_messages", "kind=\"\(kind.rawValue)\"")
        count("published_bytes", "kind=\"\(kind.rawValue)\"", by: bytes)
    }

    func handedIn(_ kind: ReplicaChannel.Kind, _ outcome: HandInOutcome, bytes: Int) {
        let (word, reason): (String, String?) =
            switch outcome {
            case .merged(_): ("merged", nil)
            case .refused(let reason): ("refused", reason)
            case .waits(let reason, _): ("waits", reason)
            }
        count("handed_in_messages", "kind=\"\(kind.rawValue)\",outcome=\"\(word)\"")
        count("handed_in_bytes", "kind=\"\(kind.rawValue)\"", by: bytes)
        if let reason { count("\(word)_messages", "reason=\"\(label(reason))\"") }
    }

    /// A reason as a label: letters, digits and `_`, and no more different ones than there is room for.
    private func label(_ reason: String) -> String {
        let text = String(reason.prefix(48).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return state.withLock { state in
            guard state.reasons.contains(text) || state.reasons.count < Self.reasonsMax else { return "other" }
            state.reasons.insert(text)
            return text
        }
    }

    func pending(_ channel: ReplicaChannel, _ count: UInt64?) {
        state.withLock { $0.pending[channel] = count }
    }

    func say(_ line: String) {
        state.withLock { $0.line = line }
    }

    var line: String {
        state.withLock { $0.line }
    }

    var snapshot: (gauges: [Gauge: UInt64], counters: [Counter: UInt64], pending: UInt64) {
        state.withLock { state in
            (state.gauges, state.counters, state.pending.values.reduce(0) { $0 &+ $1 })
        }
    }
}
