import Testing

@testable import StoreServer

private typealias Machine = ConnectionMachine<String>

private func machine(inFlightMax: Int = 3, bytesMax: Int = 1_000) -> Machine {
    Machine(
        limits: Machine.Limits(
            requestsInFlightMax: inFlightMax, requestBytesInFlightMax: bytesMax, longReadsMax: 2,
            partialFrameTimeoutNanoseconds: 100, answerTimeoutNanoseconds: 1_000))
}

@Suite struct ConnectionMachineTests {
    @Test func connectionReadsParsesAnswersAndReadsAgain() throws {
        var machine = machine()
        check(machine.connected(), .read)
        machine.bytesArrived()
        #expect(machine.takesFrames)
        let ticket = try unwrap(machine.received("get", order: .read))
        machine.completed(ticket)
        check(machine.settled(leftover: .nothing, now: 1), .read)
        check(machine.settled(leftover: .nothing, now: 2), [])
    }

    @Test func tooManyRequestsInFlightStopTheReading() throws {
        var machine = machine(inFlightMax: 2)
        _ = machine.connected()
        machine.bytesArrived()
        let first = try unwrap(machine.received("a", order: .write))
        _ = try unwrap(machine.received("b", order: .write))
        #expect(!machine.takesFrames)
        check(machine.settled(leftover: .unparsed, now: 1), [])
        machine.completed(first)
        check(machine.settled(leftover: .unparsed, now: 1), .parse)
        check(machine.settled(leftover: .nothing, now: 1), .read)
    }

    @Test func tooManyBytesInFlightStopTheReading() throws {
        var machine = machine(inFlightMax: 100, bytesMax: 1_000)
        _ = machine.connected()
        machine.bytesArrived()
        let ticket = try unwrap(machine.received("a", order: .write, bytes: 1_200))
        #expect(!machine.takesFrames)
        check(machine.settled(leftover: .nothing, now: 1), [])
        machine.completed(ticket)
        check(machine.settled(leftover: .nothing, now: 1), .read)
    }

    @Test func peerThatDoesNotTakeItsAnswersIsNotRead() {
        var machine = machine()
        _ = machine.connected()
        machine.bytesArrived()
        check(machine.writabilityChanged(false, now: 5), .scheduleTimer)
        #expect(!machine.takesFrames)
        check(machine.settled(leftover: .unparsed, now: 5), [])
        check(machine.writabilityChanged(true, now: 9), .parse)
        check(machine.settled(leftover: .nothing, now: 9), .read)
    }

    @Test func peerThatNeverTakesItsAnswersIsCutOff() {
        var machine = machine()
        _ = machine.connected()
        check(machine.writabilityChanged(false, now: 50), .scheduleTimer)
        #expect(machine.nextDeadline == 1_050)
        check(machine.timerFired(now: 1_000), .scheduleTimer)
        check(machine.timerFired(now: 1_050), .abort)
    }

    @Test func halfReceivedFrameTimesOut() {
        var machine = machine()
        _ = machine.connected()
        machine.bytesArrived()
        check(machine.settled(leftover: .partialFrame, now: 10), [.scheduleTimer, .read])
        machine.bytesArrived()
        check(machine.settled(leftover: .partialFrame, now: 60), .read)
        check(machine.timerFired(now: 109), .scheduleTimer)
        check(machine.timerFired(now: 110), [.refuseSlowFrame, .endWatches, .close])
    }

    @Test func frameThatArrivesInTimeStartsTheNextOneAfresh() throws {
        var machine = machine()
        _ = machine.connected()
        machine.bytesArrived()
        _ = machine.settled(leftover: .partialFrame, now: 10)
        machine.bytesArrived()
        let ticket = try unwrap(machine.received("a", order: .read))
        machine.completed(ticket)
        check(machine.settled(leftover: .partialFrame, now: 90), [.scheduleTimer, .read])
        #expect(machine.nextDeadline == 190)
    }

    @Test func peerThatClosedItsSendingSideGetsAllItsAnswers() throws {
        var machine = machine()
        _ = machine.connected()
        machine.bytesArrived()
        let write = try unwrap(machine.received("save", order: .write))
        check(machine.received("get", order: .read), nil)
        check(machine.settled(leftover: .nothing, now: 1), .read)
        check(machine.inputEnded(leftover: .nothing, now: 2), [])
        machine.completed(write)
        let get = try unwrap(machine.nextRunnable())
        #expect(get.request == "get")
        check(machine.settled(leftover: .nothing, now: 3), [])
        machine.completed(get.ticket)
        check(machine.settled(leftover: .nothing, now: 4), .close)
    }

    @Test func requestsReceivedBeforeTheEndOfInputAreStillParsed() throws {
        var machine = machine(inFlightMax: 1)
        _ = machine.connected()
        machine.bytesArrived()
        let first = try unwrap(machine.received("a", order: .read))
        check(machine.settled(leftover: .unparsed, now: 1), [])
        check(machine.inputEnded(leftover: .unparsed, now: 1), [])
        machine.completed(first)
        check(machine.settled(leftover: .unparsed, now: 1), .parse)
        let second = try unwrap(machine.received("b", order: .read))
        machine.completed(second)
        check(machine.settled(leftover: .nothing, now: 1), .close)
    }

    @Test func endOfInputWithinAFrameIsRefused() {
        var machine = machine()
        _ = machine.connected()
        machine.bytesArrived()
        _ = machine.settled(leftover: .partialFrame, now: 1)
        check(machine.inputEnded(leftover: .partialFrame, now: 2), [.refuseTruncated, .endWatches, .close])
    }

    @Test func watchKeepsAHalfClosedConnectionOpen() throws {
        var machine = machine()
        _ = machine.connected()
        machine.bytesArrived()
        let ticket = try unwrap(machine.received("watch", order: .read))
        machine.watchBegan()
        machine.completed(ticket)
        check(machine.inputEnded(leftover: .nothing, now: 1), [])
        machine.watchEnded()
        check(machine.settled(leftover: .nothing, now: 1), .close)
    }

    @Test func bytesThatCannotBeAFrameEndTheConnectionAfterItsAnswers() throws {
        var machine = machine()
        _ = machine.connected()
        machine.bytesArrived()
        let ticket = try unwrap(machine.received("save", order: .write))
        check(machine.frameInvalid(), .endWatches)
        #expect(!machine.takesFrames)
        check(machine.settled(leftover: .nothing, now: 1), [])
        machine.completed(ticket)
        check(machine.settled(leftover: .nothing, now: 1), .close)
    }

    @Test func drainingTakesNoMoreRequestsAndClosesWhenAllIsAnswered() throws {
        var machine = machine()
        _ = machine.connected()
        machine.bytesArrived()
        let ticket = try unwrap(machine.received("save", order: .write))
        check(machine.finish(), .endWatches)
        check(machine.finish(), [])
        #expect(!machine.takesFrames)
        machine.completed(ticket)
        check(machine.settled(leftover: .unparsed, now: 1), .close)
    }

    @Test func idleConnectionClosesAtOnceWhenDrained() {
        var machine = machine()
        _ = machine.connected()
        check(machine.finish(), [.endWatches, .close])
    }

    @Test func closedTransportDropsWhatHadNotBegun() throws {
        var machine = machine()
        _ = machine.connected()
        machine.bytesArrived()
        let write = try unwrap(machine.received("save", order: .write))
        check(machine.received("get", order: .read), nil)
        check(machine.transportClosed(), ["get"])
        machine.completed(write)
        #expect(machine.requestsInFlight == 0)
        check(machine.settled(leftover: .nothing, now: 1), [])
    }
}
