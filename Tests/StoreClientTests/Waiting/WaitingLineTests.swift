import GhostTestSupport
import NIOPosix
import Testing

@testable import StoreClient

@Suite(.timeLimit(.minutes(1))) struct WaitingLineTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    private func soon(_ milliseconds: UInt64) -> UInt64 {
        ConnectionDriver.now + milliseconds * 1_000_000
    }

    /// Enters the line in a new task, and returns once that task waits.
    private func join(
        _ line: WaitingLine, _ name: String, share: Int = 1, entered: Locked<[String]>, leaves: Bool = true,
        _ group: inout ThrowingTaskGroup<Void, any Error>
    ) async throws {
        let count = line.waitingCount
        group.addTask {
            if await line.enter(share, until: nil) {
                entered.withLock { $0.append(name) }
                if leaves {
                    line.leave(share)
                }
            }
        }
        try await eventually("\(name) waits") { line.waitingCount == count + 1 }
    }

    @Test func `the line is first come, first served, even for a large share`() async throws {
        let line = WaitingLine(capacity: 4, on: loop)
        let entered = Locked<[String]>([])
        #expect(await line.enter(3, until: nil))
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await join(line, "whole", share: 4, entered: entered, &group)
            // The line has room for this share, but another share has waited longer.
            try await join(line, "small", entered: entered, &group)
            #expect(entered.withLock { $0 } == [])
            line.leave(3)
            try await group.waitForAll()
        }
        #expect(entered.withLock { $0 } == ["whole", "small"])
        #expect(await line.enter(4, until: nil), "all of the room is there again")
    }

    @Test func `a deadline and a cancelled task end a wait, and the next task moves up`() async throws {
        let line = WaitingLine(capacity: 1, on: loop)
        #expect(await line.enter(until: nil))
        #expect(await line.enter(until: soon(20)) == false)
        #expect(await line.enter(until: soon(0)) == false)
        let waiting = Task { await line.enter(until: nil) }
        try await eventually("it waits") { line.waitingCount == 1 }
        let entered = Locked<[String]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await join(line, "behind", entered: entered, &group)
            waiting.cancel()
            #expect(await waiting.value == false)
            line.leave()
            try await group.waitForAll()
        }
        #expect(entered.withLock { $0 } == ["behind"])
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            #expect(await line.enter(until: nil))
            return await line.enter(until: nil)
        }
        #expect(await late.value == false, "cancelled before it came")
    }

    @Test func `room returned beyond the capacity is ignored`() async {
        let signal = WaitingLine(capacity: 1, room: 0, on: loop)
        #expect(await signal.enter(until: soon(10)) == false)
        signal.leave()
        signal.leave()
        #expect(await signal.enter(until: soon(10)))
        #expect(await signal.enter(until: soon(10)) == false)
    }

    @Test func `the tasks inside never exceed the capacity, and all get in`() async {
        let line = WaitingLine(capacity: 5, on: loop)
        let inside = Locked<(now: Int, most: Int, total: Int)>((0, 0, 0))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                group.addTask {
                    let share = number % 7 == 0 ? 5 : number % 3 + 1
                    // Some tasks give up after a short time.
                    guard await line.enter(share, until: number % 11 == 0 ? soon(1) : nil) else { return }
                    inside.withLock { state in
                        state = (state.now + share, max(state.most, state.now + share), state.total + 1)
                    }
                    await Task.yield()
                    inside.withLock { $0.now -= share }
                    line.leave(share)
                }
            }
        }
        let (now, most, total) = inside.withLock { $0 }
        #expect(now == 0 && most <= 5 && total >= 500 - 46)
        #expect(await line.enter(5, until: soon(1_000)))
    }
}
