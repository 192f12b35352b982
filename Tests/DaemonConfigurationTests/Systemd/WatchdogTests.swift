import Logging
import ServiceLifecycle
import Synchronization
import TestBasics
import Testing

@testable import ServiceSupport

@Suite struct WatchdogTests {
    @Test func `the interval is half of the manager's, and set only for this process`() {
        let interval = Watchdog.tickInterval(environment:processID:)
        #expect(interval(["WATCHDOG_USEC": "60000000"], 42) == .seconds(30))
        #expect(interval(["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "42"], 42) == .seconds(30))
        #expect(interval(["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "41"], 42) == nil)
        #expect(interval([:], 42) == nil)
        #expect(interval(["WATCHDOG_USEC": "0"], 42) == nil)
        #expect(interval(["WATCHDOG_USEC": "soon"], 42) == nil)
    }

    @Test func `the manager is notified only while every part answers`() async throws {
        let folder = try TemporaryDirectory()
        let receiver = try NotificationReceiver(folder.file("notify"))
        let notifier = try ServiceNotifier(notifySocket: folder.file("notify"))
        let answers = Atomic(true)
        let silentAsks = Atomic(0)
        let probe = WatchdogProbe(name: "part") { answered in
            if answers.load(ordering: .relaxed) {
                answered()
            } else {
                silentAsks.add(1, ordering: .relaxed)
            }
        }
        let watchdog = Watchdog(
            notifier: notifier, tickInterval: .milliseconds(20), probes: [probe],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await watchdog.run() }
            #expect(receiver.next() == "WATCHDOG=1")
            #expect(receiver.next() == "WATCHDOG=1")
            answers.store(false, ordering: .relaxed)
            while silentAsks.load(ordering: .relaxed) < 3 {
                try await Task.sleep(for: .milliseconds(5))
            }
            // Discards all messages that were sent before the watchdog noticed the silence. From here on none may
            // follow.
            let sentBefore = receiver.drain()
            while silentAsks.load(ordering: .relaxed) < 20 {
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(receiver.drain() == 0, "\(sentBefore) before")
            answers.store(true, ordering: .relaxed)
            #expect(receiver.next() == "WATCHDOG=1")
            group.cancelAll()
        }
    }
}
