import Glibc
import StoreBasics
import StoreProtocol

/// A normal caller, which measures how an attack affects it.
struct HostileVictim {
    struct Seen: Codable {
        var requests = 0
        var p50Milliseconds = 0.0
        var p99Milliseconds = 0.0
        var slowestMilliseconds = 0.0
        var errors = 0
        var lostConnections = 0
    }

    private static let sessionID = "victim"
    private static let pauseMilliseconds = 1.0

    let socketPath: String

    /// Saves one message and lists fifty, repeatedly.
    func use(seconds: Double) throws(BenchError) -> Seen {
        var seen = Seen()
        var latencies: [UInt64] = []
        let end = MonotonicClock.nanoseconds + seconds.secondsAsNanoseconds
        while MonotonicClock.nanoseconds < end {
            do throws(BenchError) {
                var connection = try connect()
                while MonotonicClock.nanoseconds < end {
                    for isSave in [true, false] {
                        let start = MonotonicClock.nanoseconds
                        let id = try connection.send(isSave ? Self.save : Self.list)
                        try connection.receive { outline, _ throws(BenchError) in
                            seen.errors += outline.isError || outline.id != UInt64(id) ? 1 : 0
                        }
                        latencies.append(MonotonicClock.nanoseconds - start)
                        pause(milliseconds: Self.pauseMilliseconds)
                    }
                }
            } catch {
                seen.lostConnections += 1
                pause(milliseconds: 100)
            }
        }
        latencies.sort()
        guard let slowest = latencies.last else { return seen }
        seen.requests = latencies.count
        seen.p50Milliseconds = Double(latencies[latencies.count / 2]) / 1e6
        seen.p99Milliseconds = Double(latencies[latencies.count * 99 / 100]) / 1e6
        seen.slowestMilliseconds = Double(slowest) / 1e6
        return seen
    }

    /// Connects as the victim's user if this program runs as root.
    private func connect() throws(BenchError) -> FrameConnection {
        guard geteuid() == 0 else { return try FrameConnection(to: socketPath) }
        guard seteuid(HostileUsers.victim) == 0 else { throw BenchError("seteuid: \(SystemError.last)") }
        defer { _ = seteuid(0) }
        return try FrameConnection(to: socketPath)
    }

    private static func save(_ request: inout WireRequest) {
        request.saveMessage.message.conversation.sessionID = sessionID
        request.saveMessage.message.text = String(repeating: "v", count: 200)
    }

    private static func list(_ request: inout WireRequest) {
        request.listMessages.conversation.sessionID = sessionID
        request.listMessages.limit = 50
    }
}
