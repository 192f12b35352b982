import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct DeadlineFaultTests {
    private static let patterns: [(String, ProxyFaults)] = [
        (
            "closes every connection at once",
            faults { $0.closedAtOncePercent = 100 }
        ),
        (
            "passes nothing on",
            faults { $0.pauseMicroseconds = 60_000_000...60_000_000 }
        ),
        (
            "ends every connection within the first frame",
            faults { $0.endsAfterBytes = 1...3 }
        ),
        (
            "ends the answers and leaves the requests",
            faults {
                $0.endsAfterBytes = 1...300
                $0.endings = [.answersEnded]
            }
        ),
        (
            "ends the requests and leaves the answers",
            faults {
                $0.endsAfterBytes = 1...300
                $0.endings = [.requestsEnded]
            }
        ),
    ]

    private static func faults(_ fill: (inout ProxyFaults) -> Void) -> ProxyFaults {
        var faults = ProxyFaults()
        fill(&faults)
        return faults
    }

    @Test(arguments: patterns.indices)
    func `no call outlasts its deadline, whatever happens to its connection`(index: Int) async throws {
        let (name, faults) = Self.patterns[index]
        try await withDaemon { daemon in
            try await withProxy(to: daemon.socketPath, seed: Settings.seed("CLIENT_FAULT_SEED")) { proxy in
                let client = try await FaultRun.connect(proxy, faults)
                let clock = ContinuousClock()
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<60 {
                        let deadline = Duration.milliseconds(100 + number * 10)
                        group.addTask {
                            let start = clock.now
                            let limited = client.with(deadline: deadline)
                            do throws(StoreClientError) {
                                switch number % 3 {
                                case 0: try await limited.ping()
                                case 1: _ = try await limited.statistics()
                                default:
                                    try await limited.saveMessage(NewMessage(conversation: .sessionID("s"), text: "t"))
                                }
                            } catch {
                                #expect(error.code == .deadlineExceeded, "\(name): \(error)")
                            }
                            #expect(clock.now - start < deadline + .seconds(2), "\(name)")
                        }
                    }
                }
                await client.close()
            }
        }
    }
}
