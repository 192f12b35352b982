import Testing

@testable import StoreBasics
@testable import StoreClient

@Suite struct WatchMachineTests {
    private func machine(after revision: UInt64? = nil, bufferChangesMax: Int = 10) -> WatchMachine {
        WatchMachine(after: revision, bufferChangesMax: bufferChangesMax)
    }

    private func batch(_ changeCount: Int, through revision: UInt64, bytes: Int = 0) -> WatchBatch {
        WatchBatch(payload: Array(repeating: 0, count: bytes), changeCount: changeCount, revision: revision)
    }

    private let lost = StoreClientError(code: .unavailable, reason: .connectionLost, message: "lost")

    @Test func `the first event, even an empty one, sets the revision at which the watch starts`() throws {
        var machine = machine()
        #expect(machine.start() == [.subscribe(after: nil, of: nil, number: 0, isStart: true)])
        #expect(try machine.standing() == nil)
        #expect(machine.received(batch(0, through: 41), number: 0) == [.wake])
        #expect(try machine.standing() == 41)
        #expect(machine.take().0 == .wait)
        _ = machine.received(batch(2, through: 43), number: 0)
        #expect(try machine.standing() == 41, "where it began does not move")
    }

    @Test func `a watch whose first event has changes started before them`() throws {
        var replaying = machine(after: 7)
        _ = replaying.start()
        _ = replaying.received(batch(2, through: 9), number: 0)
        #expect(try replaying.standing() == 7)
        var live = machine()
        _ = live.start()
        _ = live.received(batch(2, through: 9), number: 0)
        #expect(try live.standing() == 7)
    }

    @Test func `after a lost connection the watch continues after the last received revision`() {
        var machine = machine(after: 7)
        _ = machine.start()
        _ = machine.received(batch(2, through: 9), number: 0)
        #expect(machine.failed(lost, number: 0) == [.subscribe(after: 9, of: nil, number: 1, isStart: false)])
        #expect(machine.received(batch(1, through: 10), number: 0) == [], "an event of the old subscription")
        #expect(machine.take().0 == .batch(batch(2, through: 9)))
        _ = machine.received(batch(1, through: 10), number: 1)
        #expect(machine.take().0 == .batch(batch(1, through: 10)))
    }

    @Test func `if the connection is lost before the first event, the start is repeated under the same deadline`() {
        var machine = machine(after: 7)
        _ = machine.start()
        #expect(machine.failed(lost, number: 0) == [.subscribe(after: 7, of: nil, number: 1, isStart: true)])
    }

    @Test func `a full buffer ends the subscription, and an empty one resumes it where it ended`() {
        var machine = machine(after: 0, bufferChangesMax: 3)
        _ = machine.start()
        #expect(machine.received(batch(2, through: 2), number: 0) == [.wake])
        #expect(machine.received(batch(2, through: 4), number: 0) == [.unsubscribe(number: 0), .wake])
        #expect(machine.received(batch(1, through: 5), number: 0) == [], "too late: it is asked for again")
        #expect(machine.take() == (.batch(batch(2, through: 2)), []))
        #expect(
            machine.take()
                == (.batch(batch(2, through: 4)), [.subscribe(after: 4, of: nil, number: 1, isStart: false)]))
    }

    @Test func `after the daemon drops a slow watcher, the watch continues after the received changes`() {
        var machine = machine(after: 0)
        _ = machine.start()
        _ = machine.received(batch(1, through: 1), number: 0)
        let dropped = StoreClientError(code: .resourceExhausted, reason: .watchBacklogExceeded, message: "slow")
        #expect(machine.failed(dropped, number: 0) == [])
        #expect(
            machine.take()
                == (.batch(batch(1, through: 1)), [.subscribe(after: 1, of: nil, number: 1, isStart: false)]))
    }

    @Test func `a few large changes end the subscription too`() {
        var machine = machine(after: 0)
        _ = machine.start()
        let half = WatchMachine.bufferBytesMax / 2
        #expect(machine.received(batch(1, through: 1, bytes: half), number: 0) == [.wake])
        #expect(machine.received(batch(1, through: 2, bytes: half), number: 0) == [.wake])
        #expect(machine.received(batch(1, through: 3, bytes: 1), number: 0) == [.unsubscribe(number: 0), .wake])
        #expect(machine.take().1 == [] && machine.take().1 == [])
        #expect(machine.take().1 == [.subscribe(after: 3, of: nil, number: 1, isStart: false)])
        #expect(machine.received(batch(1, through: 4, bytes: half), number: 1) == [.wake])
    }

    @Test func `a watch that is dropped repeatedly without a change is repeated after growing pauses`() {
        var machine = machine(after: 0)
        _ = machine.start()
        let dropped = StoreClientError(code: .resourceExhausted, reason: .watchBacklogExceeded, message: "slow")
        #expect(machine.failed(dropped, number: 0) == [.subscribe(after: 0, of: nil, number: 1, isStart: true)])
        for attempt in 1...3 {
            #expect(machine.received(batch(0, through: 0), number: attempt) == [.wake])
            #expect(machine.failed(dropped, number: attempt) == [.pause(attempt: attempt)])
            #expect(machine.take() == (.wait, []), "it waits for the pause to end")
            #expect(machine.pauseEnded() == [.subscribe(after: 0, of: nil, number: attempt + 1, isStart: false)])
        }
        _ = machine.received(batch(1, through: 1), number: 4)
        _ = machine.take()
        #expect(machine.failed(dropped, number: 4) == [.subscribe(after: 1, of: nil, number: 5, isStart: false)])
        _ = machine.failed(dropped, number: 5)
        _ = machine.end(lost)
        #expect(machine.pauseEnded() == [], "nobody wants it any more")
    }

    @Test func `compacted changes end the watch after the received changes were consumed`() {
        var machine = machine(after: 3)
        _ = machine.start()
        _ = machine.received(batch(1, through: 4), number: 0)
        let compacted = StoreClientError(code: .outOfRange, reason: .changesCompacted, message: "gone")
        #expect(machine.failed(compacted, number: 0) == [.wake])
        #expect(!machine.mustConsumerWait)
        #expect(machine.take().0 == .batch(batch(1, through: 4)))
        #expect(machine.take().0 == .failure(compacted))
        #expect(machine.take().0 == .failure(compacted))
    }

    @Test func `an error before the first event is thrown by the start`() {
        var machine = machine()
        _ = machine.start()
        let locked = StoreClientError(code: .failedPrecondition, reason: .storeLocked, message: "locked")
        #expect(machine.failed(locked, number: 0) == [.wake])
        #expect(throws: locked) { try machine.standing() }
    }

    @Test func `a started watch waits during a lock and continues after its last change, unless told not to wait`() {
        let locked = StoreClientError(code: .failedPrecondition, reason: .storeLocked, message: "locked")
        var machine = machine(after: 3)
        _ = machine.start()
        _ = machine.received(batch(1, through: 4), number: 0)
        for attempt in 1...3 {
            #expect(machine.failed(locked, number: attempt - 1) == [.pause(attempt: attempt)])
            #expect(!machine.isActive(attempt - 1))
            #expect(machine.pauseEnded() == [.subscribe(after: 4, of: nil, number: attempt, isStart: false)])
        }
        #expect(machine.take().0 == .batch(batch(1, through: 4)), "what came before the lock is there")
        _ = machine.received(batch(1, through: 5), number: 3)
        #expect(machine.failed(locked, number: 3) == [.pause(attempt: 1)], "a new lock is looked at often again")
        #expect(machine.end(lost) == [.wake])
        #expect(machine.pauseEnded() == [], "nobody wants it any more")

        var strict = WatchMachine(after: 3, bufferChangesMax: 10, waitsWhileLocked: false)
        _ = strict.start()
        _ = strict.received(batch(0, through: 3), number: 0)
        #expect(strict.failed(locked, number: 0) == [.wake])
        #expect(strict.take().0 == .failure(locked))
    }

    @Test func `a subscription that the daemon has no room for is repeated, even the first one`() {
        for reason in [StoreClientError.Reason.queueFull, .memoryExhausted, .storeBusy] {
            let refused = StoreClientError(code: .resourceExhausted, reason: reason, message: "full")
            var machine = machine()
            _ = machine.start()
            #expect(machine.failed(refused, number: 0) == [.pause(attempt: 1)])
            #expect(machine.isStarting)
            #expect(machine.pauseEnded() == [.subscribe(after: nil, of: nil, number: 1, isStart: true)])
        }
    }

    @Test func `a subscription is active until the next one replaces it or the watch ends`() {
        var machine = machine(after: 7)
        _ = machine.start()
        #expect(machine.isActive(0) && !machine.isActive(1))
        _ = machine.failed(lost, number: 0)
        #expect(!machine.isActive(0) && machine.isActive(1))
        _ = machine.end(StoreClientError(code: .cancelled, reason: .cancelled, message: "ended"))
        #expect(!machine.isActive(1))
    }

    @Test func `ending a watch cancels it in the daemon once`() {
        var machine = machine()
        _ = machine.start()
        #expect(machine.end(lost) == [.unsubscribe(number: 0), .wake])
        #expect(machine.end(lost) == [])
        #expect(machine.take().0 == .failure(lost))
    }

    @Test func `a resumed subscription names the history of the received changes`() throws {
        let id = HistoryID.random()
        var machine = WatchMachine(after: 7, bufferChangesMax: 10)
        #expect(machine.start() == [.subscribe(after: 7, of: nil, number: 0, isStart: true)])
        let event = WatchBatch(payload: [], changeCount: 0, revision: 9, history: id)
        _ = machine.received(event, number: 0)
        #expect(machine.history == id)
        #expect(machine.failed(lost, number: 0) == [.subscribe(after: 9, of: id, number: 1, isStart: false)])
        let changed = StoreClientError(code: .failedPrecondition, reason: .historyChanged, message: "changed")
        #expect(machine.failed(changed, number: 1) == [.wake])
        #expect(machine.take().0 == .failure(changed))
    }

    @Test func `a watch resumed by the application names its history from the first subscription on`() {
        let id = HistoryID.random()
        var machine = WatchMachine(after: 7, of: id, bufferChangesMax: 10)
        #expect(machine.start() == [.subscribe(after: 7, of: id, number: 0, isStart: true)])
        #expect(machine.failed(lost, number: 0) == [.subscribe(after: 7, of: id, number: 1, isStart: true)])
    }

    @Test func `an empty event advances the consumed revision once all changes were consumed`() {
        var machine = machine()
        _ = machine.start()
        #expect(machine.consumedRevision == nil)
        _ = machine.received(batch(2, through: 9), number: 0)
        _ = machine.received(batch(0, through: 50), number: 0)
        #expect(machine.consumedRevision == nil)
        _ = machine.next
        #expect(machine.consumedRevision == nil, "it was only looked at")
        _ = machine.take()
        #expect(machine.consumedRevision == 50)
    }
}

private func == (
    left: (WatchMachine.Next, [WatchMachine.Action]), right: (WatchMachine.Next, [WatchMachine.Action])
) -> Bool {
    left.0 == right.0 && left.1 == right.1
}

extension WatchMachine {
    /// Returns the next item, and removes it from the machine if it is a batch.
    fileprivate mutating func take() -> (next: Next, actions: [Action]) {
        let next = next
        guard case .batch = next else { return (next, []) }
        return (next, removeBatch())
    }
}
