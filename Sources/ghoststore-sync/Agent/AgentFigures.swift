import ReplicaModel
import StoreBasics
import StoreClient
import Synchronization

/// The agent's metrics, for the metrics file and the status line. Channels are counted by kind only, because the amount
/// of data that each device sends is private.
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

    /// The counters, which only increase. They are written as `<name>_total`.
    enum Total: String, Sendable, CaseIterable {
        case publishedMessages = "published_messages"
        case publishedBytes = "published_bytes"
        case publishedAgain = "published_again"
        case publishedOutOfOrder = "published_out_of_order"
        case handedInMessages = "handed_in_messages"
        case handedInBytes = "handed_in_bytes"
        case refusedMessages = "refused_messages"
        case waitsMessages = "waits_messages"
        case foreignMessages = "foreign_messages"
        case lostInStream = "lost_in_stream"
        case connectionFailures = "connection_failures"
        case streamFailures = "stream_failures"
        case daemonFailures = "daemon_failures"
    }

    struct Counter: Sendable, Hashable, Comparable {
        let total: Total
        let labels: MetricsText.Labels

        static func < (left: Counter, right: Counter) -> Bool {
            (left.total.rawValue, left.labels) < (right.total.rawValue, right.labels)
        }
    }

    private struct State {
        var gauges: [Gauge: UInt64] = [:]
        var counters: [Counter: UInt64] = [:]
        /// The number of undelivered messages of each channel.
        var pending: [ReplicaChannel: UInt64] = [:]
        var reasons: Set<String> = []
        var line = "starting"
    }

    private let state = Mutex(State())
    /// The most distinct reasons that get a label of their own. The daemon has fewer reasons; the limit bounds the
    /// metrics if the daemon ever sends arbitrary texts.
    private static let reasonsMax = 64

    func set(_ gauge: Gauge, _ value: Int) {
        state.withLock { $0.gauges[gauge] = UInt64(max(0, value)) }
    }

    func count(_ total: Total, _ labels: MetricsText.Labels = [:], by amount: Int = 1) {
        state.withLock { $0.counters[Counter(total: total, labels: labels), default: 0] &+= UInt64(max(0, amount)) }
    }

    func published(_ kind: ReplicaChannel.Kind, bytes: Int) {
        count(.publishedMessages, ["kind": kind.rawValue])
        count(.publishedBytes, ["kind": kind.rawValue], by: bytes)
    }

    func handedIn(_ kind: ReplicaChannel.Kind, _ outcome: HandInOutcome, bytes: Int) {
        let (word, notMerged): (String, (total: Total, reason: ReplicaReason)?) =
            switch outcome {
            case .merged: ("merged", nil)
            case .refused(let reason): ("refused", (.refusedMessages, reason))
            case .waits(let reason, _): ("waits", (.waitsMessages, reason))
            }
        count(.handedInMessages, ["kind": kind.rawValue, "outcome": word])
        count(.handedInBytes, ["kind": kind.rawValue], by: bytes)
        if let notMerged { count(notMerged.total, ["reason": label(notMerged.reason)]) }
    }

    /// Returns a reason as a label: letters, digits and `_`. Returns `other` for further reasons above the limit.
    private func label(_ reason: ReplicaReason) -> String {
        let text = String(reason.rawValue.prefix(48).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
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
