import GhostTestSupport
import StoreBasics
import TestBasics
import Testing

@testable import StoreClient

/// Tests that drive the machine with random events and check its promises: each call ends exactly once, nothing is sent
/// without a connection, no more calls are in flight than allowed, and a call that must not be repeated is sent at most
/// once.
@Suite struct ConnectionMachineRandomTests {
    @Test(arguments: TestSeeds.range(25, long: 200))
    func `every call ends exactly once, whatever happens`(seed: UInt64) {
        var world = World(seed: seed)
        for _ in 0..<400 {
            world.step()
        }
        world.closeEverything()
        #expect(world.endings.count == world.submittedCount)
        #expect(world.endings.values.allSatisfy { $0 == 1 })
        #expect(world.violations.isEmpty, "seed \(seed): \(world.violations)")
    }

    private struct World {
        static let inFlightMax = 4
        var random: SplitMix
        var machine = ConnectionMachine(inFlightMax: inFlightMax, waitingMax: 12)
        var isConnecting = false
        var isConnected = false
        var isPausing = false
        var now: UInt64 = 0
        var submittedCount = 0
        var terms: [UInt64: CallTerms] = [:]
        var endings: [UInt64: Int] = [:]
        var sendCounts: [UInt64: Int] = [:]
        /// Ids of requests that are still to be written to this connection.
        var outgoing: [UInt64] = []
        /// Ids of requests that the daemon has received on this connection and not yet finally answered.
        var atDaemon: Set<UInt64> = []
        var violations: [String] = []

        init(seed: UInt64) {
            random = SplitMix(seed: seed)
        }

        mutating func step() {
            now += 1
            switch Int.random(in: 0..<18, using: &random) {
            case 0...4: submit()
            case 5...7: answer()
            case 8: perform(machine.cancel(randomID()))
            case 9: perform(machine.expire(now: now))
            case 10: connectionEnds()
            case 11...14: write()
            default: connectProceeds()
            }
        }

        mutating func closeEverything() {
            perform(machine.close())
        }

        private mutating func submit() {
            submittedCount += 1
            let id = UInt64(submittedCount)
            let isStream = Int.random(in: 0..<5, using: &random) == 0
            let terms = CallTerms(
                isRepeatable: !isStream && Bool.random(using: &random), isStream: isStream,
                failsWhenUnreachable: Int.random(in: 0..<6, using: &random) == 0,
                deadline: Bool.random(using: &random) ? now + UInt64.random(in: 0..<40, using: &random) : nil)
            self.terms[id] = terms
            perform(machine.submit(id, terms))
        }

        private mutating func answer() {
            guard isConnected, let id = atDaemon.sorted().randomElement(using: &random) else { return }
            let kinds: [ConnectionMachine.AnswerKind] = [
                .result(isFinal: true), .result(isFinal: true), .result(isFinal: false),
                .refusedBecauseShuttingDown,
            ]
            let kind = kinds.randomElement(using: &random) ?? .result(isFinal: true)
            if kind != .result(isFinal: false) {
                atDaemon.remove(id)
            }
            let received = machine.received(id, kind)
            switch received.delivery {
            case .toNobody: break
            case .asPart: check(endings[id] == nil, "late part")
            case .asLast: ended(id)
            }
            perform(received.actions)
        }

        private mutating func connectionEnds() {
            guard isConnected else { return }
            isConnected = false
            outgoing = []
            atDaemon = []
            perform(machine.connectionLost(isUnreadable: Bool.random(using: &random)))
        }

        /// Writes the outgoing requests, except requests whose calls have already ended.
        private mutating func write() {
            let ids = outgoing
            outgoing = []
            for id in ids {
                guard endings[id] == nil else {
                    perform(machine.notWritten(id))
                    continue
                }
                sendCounts[id, default: 0] += 1
                check(terms[id]?.isRepeatable == true || sendCounts[id] == 1, "repeats what must not be")
                atDaemon.insert(id)
                let inFlight = atDaemon.filter { terms[$0]?.isStream == false }.count
                check(inFlight <= Self.inFlightMax, "\(inFlight) in flight")
            }
        }

        private mutating func connectProceeds() {
            if isConnecting {
                isConnecting = false
                if Bool.random(using: &random) {
                    isConnected = true
                    perform(machine.connected())
                } else {
                    perform(machine.connectFailed())
                }
            } else if isPausing {
                isPausing = false
                perform(machine.pauseEnded())
            }
        }

        private func randomID() -> UInt64 {
            var random = random
            return UInt64.random(in: 0...UInt64(submittedCount), using: &random)
        }

        private mutating func perform(_ actions: [ConnectionMachine.Action]) {
            for action in actions {
                switch action {
                case .connect:
                    check(!isConnecting && !isConnected && !isPausing, "connects twice")
                    isConnecting = true
                case .pause:
                    check(!isConnecting && !isConnected && !isPausing, "pauses beside a connection")
                    isPausing = true
                case .send(let id): sent(id)
                case .sendCancel(let id):
                    check(isConnected && (atDaemon.contains(id) || outgoing.contains(id)), "cancels what is not there")
                case .fail(let id, _): ended(id)
                case .disconnect: isConnected = false
                }
            }
        }

        private mutating func sent(_ id: UInt64) {
            check(isConnected, "sends without a connection")
            check(endings[id] == nil, "sends what has ended")
            outgoing.append(id)
        }

        private mutating func ended(_ id: UInt64) {
            endings[id, default: 0] += 1
        }

        private mutating func check(_ condition: Bool, _ violation: String) {
            if !condition {
                violations.append("step \(now): \(violation)")
            }
        }
    }
}
