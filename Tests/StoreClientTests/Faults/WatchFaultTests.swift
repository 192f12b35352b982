import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(FaultRun.minutesMax))) struct WatchFaultTests {
    @Test(arguments: FaultPattern.all, [4_096, 16])
    func `a watch sees each change once and in order`(_ pattern: FaultPattern, bufferChangesMax: Int) async throws {
        try await withDaemonAndClient { daemon, writer in
            try await withProxy(to: daemon.socketPath, seed: Settings.seed("CLIENT_FAULT_SEED")) { proxy in
                var configuration = FaultRun.configuration
                configuration.watchBufferChangesMax = bufferChangesMax
                let watcher = try await FaultRun.connect(
                    proxy, pattern.faultsOfFollower, configuration: configuration)
                let stream = try await watcher.watch(after: 0)
                let count = pattern.callCount / 2
                async let written: Void = FaultRun.spread(count) { task, number in
                    if number % FaultRun.callsBetweenDrops(count) == 0 {
                        proxy.dropConnections()
                    }
                    try await writer.saveMessage(NewMessage(conversation: .sessionID("s\(task)"), text: "\(number)"))
                }
                // The first save of each task also creates its conversation.
                let last = UInt64(count + FaultRun.taskCount)
                var revisions: [UInt64] = []
                for try await change in stream {
                    revisions.append(change.revision)
                    if change.revision >= last {
                        break
                    }
                }
                try await written
                #expect(revisions == Array(1...last))
                #expect(stream.revision == last)
                #expect(try await writer.statistics().revision == last)
                await watcher.close()
                #expect(proxy.connectionCount > 3)
            }
        }
    }
}
