import Testing

@testable import StoreServer

private typealias Machine = ConnectionMachine<String>

private func machine(inFlightMax: Int = 3, bytesMax: Int = 1_000) -> Machine {
    Machine(
        limits: Machine.Limits(
            requestsInFlightMax: inFlightMax, requestBytesInFlightMax: bytesMax, longReadsMax: 2,
            partialFrameTimeoutNanoseconds: 100, answerTimeoutNanoseconds: 1_000))
}

@Suite struct ServerConnectionMachineTests {
    @Test func `a connection reads, parses, answers and reads again`() throws {
        var machine = machine()
        check(machine.connected(), .read)
        machine.bytesArrived()
        #expect(machine.acceptsFrames)
        let ticket = try unwrap(machine.received("get", order: .read))
        machine.completed(ticket)
        check(machine.inputProcessed(leftover: .nothing, now: 1), .read)
        check(machine.inputProcessed(leftover: .nothing, now: 2), [])
    }

    @Test func `too many requests in flight stop the reading`() throws {
        var machine = machine(inFlightMax: 2)
        _ = machine.connected()
        machine.bytesArrived()
        let first = try unwrap(machine.received("a", order: .write))
        _ = try unwrap(machine.received("b", order: .write))
        #expect(!machine.acceptsFrames)
        check(machine.inputProcessed(leftover: .unparsed, now: 1), [])
        machine.completed(first)
        check(machine.inputProcessed(leftover: .unparsed, now: 1), .parse)
        check(machine.inputProcessed(leftover: .nothing, now: 1), .read)
    }

    @Test func `too many bytes in flight stop the reading`() throws {
        var machine = machine(inFlightMax: 100, bytesMax: 1_000)
        _ = machine.connected()
        machine.bytesArrived()
        let ticket = try unwrap(machine.received("a", order: .write, bytes: 1_200))
        #expect(!machine.acceptsFrames)
        check(machine.inputProcessed(leftover: .nothing, now: 1), [])
        machine.completed(ticket)
        check(machine.inputProcessed(leftover: .nothing, now: 1), .read)
    }

    @Test func `the daemon stops reading from a peer that does not read its responses`() {
        var machine = machine()
        _ = machine.connected()
        machine.bytesArrived()
        check(machine.writabilityChanged(false, now: 5), .scheduleTimer)
        #expect(!machine.acceptsFrames)
        check(machine.inputProcessed(leftover: .unparsed, now: 5), [])
        check(machine.writabilityChanged(true, now: 9), .parse)
        check(machine.inputProcessed(leftover: .nothing, now: 9), .read)
    }

    @Test func `a peer that never reads its responses is cut off`() {
        var machine = machine()
        _ = machine.connected()
        check(machine.writabilityChanged(false, now: 50), .scheduleTimer)
        #expect(machine.nextDeadline == 1_050)
        check(machine.timerFired(now: 1_000), .scheduleTimer)
        check(machine.timerFired(now: 1_050), .abort)
    }

    @Test func `an incomplete frame times out`() {
        var machine = machine()
        _ = machine.connected()
        machine.bytesArrived()
        check(machine.inputProcessed(leftover: .partialFrame, now: 10), [.scheduleTimer, .read])
        machine.bytesArrived()
        check(machine.inputProcessed(leftover: .partialFrame, now: 60), .read)
        check(machine.timerFired(now: 109), .scheduleTimer)
        check(machine.timerFired(now: 110), [.refuseSlowFrame, .endWatches, .close])
    }

    @Test func `a frame that arrives in time resets the time limit for the next one`() throws {
        var machine = machine()
        _ = machine.connected()
        machine.bytesArrived()
        _ = machine.inputProcessed(leftover: .partialFrame, now: 10)
        machine.bytesArrived()
        let ticket = try unwrap(machine.received("a", order: .read))
        machine.completed(ticket)
        check(machine.inputProcessed(leftover: .partialFrame, now: 90), [.scheduleTimer, .read])
        #expect(machine.nextDeadline == 190)
    }

    @Test func `a peer that closed its sending side gets all its responses`() throws {
        var machine = machine()
        _ = machine.connected()
        machine.bytesArrived()
        let write = try unwrap(machine.received("save", order: .write))
        check(machine.received("get", order: .read), nil)
        check(machine.inputProcessed(leftover: .nothing, now: 1), .read)
        check(machine.inputEnded(leftover: .nothing, now: 2), [])
        machine.completed(write)
        let get = try unwrap(machine.nextRunnable())
        #expect(get.request == "get")
        check(machine.inputProcessed(leftover: .nothing, now: 3), [])
        machine.completed(get.ticket)
        check(machine.inputProcessed(leftover: .nothing, now: 4), .close)
    }

    @Test func `requests received before the end of input are still parsed`() throws {
        var machine = machine(inFlightMax: 1)
        _ = machine.connected()
        machine.bytesArrived()
        let first = try unwrap(machine.received("a", order: .read))
        check(machine.inputProcessed(leftover: .unparsed, now: 1), [])
        check(machine.inputEnded(leftover: .unparsed, now: 1), [])
        machine.completed(first)
        check(machine.inputProcessed(leftover: .unparsed, now: 1), .parse)
        let second = try unwrap(machine.received("b", order: .read))
        machine.completed(second)
        check(machine.inputProcessed(leftover: .nothing, now: 1), .close)
    }

    @Test func `end of input within a frame is refused`() {
        var machine = machine()
        _ = machine.connected()
        machine.bytesArrived()
        _ = machine.inputProcessed(leftover: .partialFrame, now: 1)
        check(machine.inputEnded(leftover: .partialFrame, now: 2), [.refuseTruncated, .endWatches, .close])
    }

    @Test func `a watch keeps a half-closed connection open`() throws {
        var machine = machine()
        _ = machine.connected()
        machine.bytesArrived()
        let ticket = try unwrap(machine.received("watch", order: .read))
        machine.watchBegan()
        machine.completed(ticket)
        check(machine.inputEnded(leftover: .nothing, now: 1), [])
        machine.watchEnded()
        check(machine.inputProcessed(leftover: .nothing, now: 1), .close)
    }

    @Test func `bytes that cannot be a frame close the connection after its responses`() throws {
        var machine = machine()
        _ = machine.connected()
        machine.bytesArrived()
        let ticket = try unwrap(machine.received("save", order: .write))
        check(machine.frameInvalid(), .endWatches)
        #expect(!machine.acceptsFrames)
        check(machine.inputProcessed(leftover: .nothing, now: 1), [])
        machine.completed(ticket)
        check(machine.inputProcessed(leftover: .nothing, now: 1), .close)
    }

    @Test func `a draining connection accepts no requests and closes after the last response`() throws {
        var machine = machine()
        _ = machine.connected()
        machine.bytesArrived()
        let ticket = try unwrap(machine.received("save", order: .write))
        check(machine.finish(), .endWatches)
        check(machine.finish(), [])
        #expect(!machine.acceptsFrames)
        machine.completed(ticket)
        check(machine.inputProcessed(leftover: .unparsed, now: 1), .close)
    }

    @Test func `an idle connection closes at once when drained`() {
        var machine = machine()
        _ = machine.connected()
        check(machine.finish(), [.endWatches, .close])
    }

    @Test func `a closed connection drops requests that have not begun`() throws {
        var machine = machine()
        _ = machine.connected()
        machine.bytesArrived()
        let write = try unwrap(machine.received("save", order: .write))
        check(machine.received("get", order: .read), nil)
        check(machine.transportClosed(), ["get"])
        machine.completed(write)
        #expect(machine.inFlight == 0)
        check(machine.inputProcessed(leftover: .nothing, now: 1), [])
    }
}
