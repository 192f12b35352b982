import Testing

@testable import StoreServer

private typealias Machine = ConnectionMachine<String>

/// Returns a machine whose connection has received bytes.
private func machine(inFlightMax: Int = 3) -> Machine {
    var machine = Machine(
        limits: Machine.Limits(
            requestsInFlightMax: inFlightMax, longReadsMax: 2, partialFrameTimeoutNanoseconds: 100,
            answerTimeoutNanoseconds: 1_000))
    _ = machine.connected()
    machine.bytesArrived()
    return machine
}

/// The time limits for a peer that does not send or read, and the work that the daemon stops while it waits for that
/// peer.
@Suite struct ConnectionMachineTimeTests {
    @Test func `a half-closed peer that never reads its responses is cut off`() {
        var machine = machine()
        check(machine.inputEnded(leftover: .nothing, now: 1), .close)
        check(machine.closeWaits(now: 50), .scheduleTimer)
        #expect(machine.nextDeadline == 1_050)
        check(machine.timerFired(now: 1_000), .scheduleTimer)
        check(machine.timerFired(now: 1_050), .abort)
        check(machine.closeWaits(now: 1_060), [])
    }

    @Test func `closing does not restart the time limit of a peer that reads nothing`() {
        var machine = machine()
        _ = machine.writabilityChanged(false, now: 50)
        check(machine.inputEnded(leftover: .nothing, now: 80), .close)
        check(machine.closeWaits(now: 90), .scheduleTimer)
        #expect(machine.nextDeadline == 1_050)
    }

    @Test func `a peer that reads some bytes before the close has the whole time limit for the rest`() {
        var machine = machine()
        _ = machine.writabilityChanged(false, now: 50)
        _ = machine.inputEnded(leftover: .nothing, now: 80)
        _ = machine.closeWaits(now: 90)
        check(machine.writabilityChanged(true, now: 900), .scheduleTimer)
        #expect(machine.nextDeadline == 1_900)
        check(machine.timerFired(now: 1_050), .scheduleTimer)
        check(machine.timerFired(now: 1_900), .abort)
    }

    @Test func `waiting requests do not run while the peer does not read`() throws {
        var machine = machine()
        let write = try unwrap(machine.received("save", order: .write))
        check(machine.received("get", order: .read), nil)
        _ = machine.writabilityChanged(false, now: 5)
        machine.completed(write)
        check(machine.nextRunnable().map(\.request), nil)
        check(machine.inputProcessed(leftover: .nothing, now: 6), [])
        check(machine.writabilityChanged(true, now: 9), .parse)
        let get = try unwrap(machine.nextRunnable())
        machine.completed(get.ticket)
        check(machine.inputProcessed(leftover: .nothing, now: 9), .read)
    }

    @Test func `the time limit of a frame pauses while the daemon does not read`() throws {
        var machine = machine(inFlightMax: 1)
        check(machine.inputProcessed(leftover: .partialFrame, now: 10), [.scheduleTimer, .read])
        machine.bytesArrived()
        let write = try unwrap(machine.received("save", order: .write))
        check(machine.inputProcessed(leftover: .partialFrame, now: 20), [])
        #expect(machine.nextDeadline == nil)
        check(machine.timerFired(now: 110), [])
        machine.completed(write)
        check(machine.inputProcessed(leftover: .partialFrame, now: 500), [.scheduleTimer, .read])
        #expect(machine.nextDeadline == 600)
        check(machine.timerFired(now: 600), [.refuseSlowFrame, .endWatches, .close])
    }

    @Test func `the time limit of a frame restarts when the peer reads its responses`() {
        var machine = machine()
        _ = machine.inputProcessed(leftover: .partialFrame, now: 10)
        machine.bytesArrived()
        _ = machine.writabilityChanged(false, now: 20)
        check(machine.inputProcessed(leftover: .partialFrame, now: 20), [])
        check(machine.writabilityChanged(true, now: 500), [.scheduleTimer, .read])
        #expect(machine.nextDeadline == 600)
    }
}
