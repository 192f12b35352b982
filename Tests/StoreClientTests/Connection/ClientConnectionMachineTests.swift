import Testing

@testable import StoreClient

@Suite struct ClientConnectionMachineTests {
    private typealias Action = ConnectionMachine.Action

    private func machine(inFlightMax: Int = 2, waitingMax: Int = 10) -> ConnectionMachine {
        ConnectionMachine(inFlightMax: inFlightMax, waitingMax: waitingMax)
    }

    private let repeatable = CallTerms(isRepeatable: true)
    private let once = CallTerms(isRepeatable: false)
    private let stream = CallTerms(isRepeatable: false, isStream: true)
    private let impatient = CallTerms(isRepeatable: true, failsWhenUnreachable: true)

    @Test func `the first call connects and is sent when the connection stands`() {
        var machine = machine()
        #expect(machine.submit(1, repeatable) == [.connect])
        #expect(machine.submit(2, once) == [])
        #expect(machine.connected() == [.send(1), .send(2)])
        #expect(machine.received(2, .result(isFinal: true)) == .init(.asLast))
        #expect(machine.received(1, .result(isFinal: true)) == .init(.asLast))
    }

    @Test func `calls beyond the bound wait and go out in order as answers come`() {
        var machine = machine(inFlightMax: 2)
        _ = machine.submit(1, once)
        _ = machine.connected()
        #expect(machine.submit(2, once) == [.send(2)])
        #expect(machine.submit(3, once) == [])
        #expect(machine.submit(4, once) == [])
        #expect(machine.received(2, .result(isFinal: true)) == .init(.asLast, [.send(3)]))
        #expect(machine.received(1, .result(isFinal: false)) == .init(.asPart))
        #expect(machine.received(1, .result(isFinal: true)) == .init(.asLast, [.send(4)]))
    }

    @Test func `a watch does not count as in flight`() {
        var machine = machine(inFlightMax: 1)
        _ = machine.submit(1, stream)
        #expect(machine.connected() == [.send(1)])
        #expect(machine.submit(2, once) == [.send(2)])
    }

    @Test func `a call beyond the bound of waiting calls fails and leaves the others alone`() {
        var machine = machine(waitingMax: 2)
        _ = machine.submit(1, once)
        _ = machine.submit(2, once)
        #expect(machine.submit(3, once) == [.fail(3, .tooManyWaiting)])
        #expect(machine.connected() == [.send(1), .send(2)])
    }

    @Test func `after a lost connection repeatable calls are sent again in their order, before those that waited`() {
        var machine = machine(inFlightMax: 3)
        _ = machine.submit(1, repeatable)
        _ = machine.connected()
        _ = machine.submit(2, once)
        _ = machine.submit(3, repeatable)
        _ = machine.submit(4, once)
        #expect(machine.connectionLost() == [.fail(2, .connectionLost), .connect])
        #expect(machine.connected() == [.send(1), .send(3), .send(4)])
    }

    @Test func `a call that waited for a connection survives failed attempts, with growing pauses`() {
        var machine = machine()
        _ = machine.submit(1, once)
        #expect(machine.connectFailed() == [.connect])
        #expect(machine.connectFailed() == [.pause(attempt: 1)])
        #expect(machine.pauseEnded() == [.connect])
        #expect(machine.connectFailed() == [.pause(attempt: 2)])
        #expect(machine.pauseEnded() == [.connect])
        #expect(machine.connected() == [.send(1)])
    }

    @Test func `a connection that is lost again and again without an answer is not opened in a tight loop`() {
        var machine = machine()
        _ = machine.submit(1, repeatable)
        _ = machine.connected()
        #expect(machine.connectionLost() == [.connect])
        _ = machine.connected()
        #expect(machine.connectionLost() == [.pause(attempt: 1)])
        _ = machine.pauseEnded()
        _ = machine.connected()
        #expect(machine.connectionLost() == [.pause(attempt: 2)])
        _ = machine.pauseEnded()
        _ = machine.connected()
        _ = machine.received(1, .result(isFinal: true))
        _ = machine.submit(2, repeatable)
        #expect(machine.connectionLost() == [.connect], "an answer makes the next loss a first one")
    }

    @Test func `an answer nobody waits for does not make the next loss a first one`() {
        var machine = machine()
        _ = machine.submit(1, repeatable)
        _ = machine.connected()
        #expect(machine.connectionLost() == [.connect])
        _ = machine.connected()
        // For example, the response to the greeting.
        #expect(machine.received(99, .result(isFinal: true)) == .init(.toNobody))
        #expect(machine.received(1, .refusedBecauseShuttingDown) == .init(.toNobody))
        #expect(machine.connectionLost() == [.pause(attempt: 1)])
    }

    @Test func `bytes that are no answer end what waits for one, and what waits to be sent goes on`() {
        var machine = machine(inFlightMax: 3)
        _ = machine.submit(1, repeatable)
        _ = machine.connected()
        _ = machine.submit(2, once)
        _ = machine.submit(3, stream)
        _ = machine.submit(4, repeatable)
        _ = machine.submit(5, repeatable)
        #expect(
            machine.connectionLost(isUnreadable: true) == [
                .fail(1, .answerUnreadable), .fail(2, .answerUnreadable), .fail(3, .answerUnreadable),
                .fail(4, .answerUnreadable), .connect,
            ])
        #expect(machine.connected() == [.send(5)])
    }

    @Test func `a stream that is made again on every loss is not sent in a tight loop`() {
        var machine = machine()
        _ = machine.submit(1, stream)
        _ = machine.connected()
        #expect(machine.connectionLost() == [.fail(1, .connectionLost)])
        #expect(machine.submit(2, stream) == [.connect])
        _ = machine.connected()
        #expect(machine.connectionLost() == [.fail(2, .connectionLost)])
        #expect(machine.submit(3, stream) == [.pause(attempt: 1)])
    }

    @Test func `nobody waiting means no connection is opened, and the next call opens it at once`() {
        var machine = machine()
        _ = machine.submit(1, repeatable)
        _ = machine.connected()
        _ = machine.received(1, .result(isFinal: true))
        #expect(machine.connectionLost() == [])
        #expect(machine.submit(2, repeatable) == [.connect])
    }

    @Test func `a pause that ends when every caller has gone opens nothing`() {
        var machine = machine()
        _ = machine.submit(1, repeatable)
        _ = machine.connectFailed()
        _ = machine.connectFailed()
        #expect(machine.cancel(1) == [.fail(1, .cancelled(wasSent: false))])
        #expect(machine.pauseEnded() == [])
        #expect(machine.submit(2, repeatable) == [.connect])
    }

    @Test func `an impatient call fails at once when the daemon cannot be reached`() {
        var machine = machine()
        _ = machine.submit(1, impatient)
        #expect(machine.connectFailed() == [.fail(1, .unreachable)])
    }

    /// The daemon may have accepted the first connection and closed it to make room for another one.
    @Test func `an impatient call is sent again on a second connection and on no third one`() {
        var machine = machine()
        _ = machine.submit(1, impatient)
        #expect(machine.connected() == [.send(1)])
        #expect(machine.connectionLost() == [.connect])
        #expect(machine.connected() == [.send(1)])
        #expect(machine.connectionLost() == [.fail(1, .unreachable)])
        machine = self.machine()
        _ = machine.submit(2, impatient)
        _ = machine.connected()
        #expect(machine.received(2, .refusedBecauseShuttingDown) == .init(.toNobody))
        #expect(machine.connectionLost() == [.connect])
        #expect(machine.connectFailed() == [.fail(2, .unreachable)])
    }

    @Test func `an impatient call whose answer cannot be read is not sent again`() {
        var machine = machine()
        _ = machine.submit(1, impatient)
        _ = machine.connected()
        #expect(machine.connectionLost(isUnreadable: true) == [.fail(1, .unreachable)])
    }

    @Test func `a cancelled call in flight is answered to nobody and frees its place when its answer comes`() {
        var machine = machine(inFlightMax: 1)
        _ = machine.submit(1, once)
        _ = machine.connected()
        _ = machine.submit(2, once)
        #expect(machine.cancel(1) == [.fail(1, .cancelled(wasSent: true))])
        #expect(machine.cancel(1) == [])
        #expect(machine.received(1, .result(isFinal: true)) == .init(.toNobody, [.send(2)]))
    }

    @Test func `a call that was not written frees its place, and ends if its caller still waits`() {
        var machine = machine(inFlightMax: 1)
        _ = machine.submit(1, once)
        #expect(machine.connected() == [.send(1)])
        _ = machine.submit(2, repeatable)
        _ = machine.submit(3, once)
        #expect(machine.cancel(1) == [.fail(1, .cancelled(wasSent: true))])
        #expect(machine.notWritten(1) == [.send(2)])
        #expect(machine.notWritten(1) == [])
        #expect(machine.notWritten(2) == [.fail(2, .connectionLost), .send(3)])
    }

    @Test func `what was sent on a lost connection may have taken effect, whenever its caller leaves`() {
        var machine = machine()
        _ = machine.submit(1, repeatable)
        _ = machine.submit(2, CallTerms(isRepeatable: true, deadline: 50))
        _ = machine.connected()
        _ = machine.connectionLost()
        _ = machine.submit(3, repeatable)
        #expect(machine.cancel(1) == [.fail(1, .cancelled(wasSent: true))])
        #expect(machine.expire(now: 50) == [.fail(2, .deadlineExceeded(wasSent: true))])
        #expect(machine.cancel(3) == [.fail(3, .cancelled(wasSent: false))])
    }

    @Test func `a cancelled watch is ended at the daemon, and its late events are dropped`() {
        var machine = machine()
        _ = machine.submit(1, stream)
        _ = machine.connected()
        #expect(machine.cancel(1) == [.fail(1, .cancelled(wasSent: true)), .sendCancel(1)])
        #expect(machine.received(1, .result(isFinal: false)) == .init(.toNobody))
        #expect(machine.received(1, .result(isFinal: true)) == .init(.toNobody))
    }

    @Test func `deadlines end waiting and sent calls, and only those that are due`() {
        var machine = machine(inFlightMax: 1)
        _ = machine.submit(1, CallTerms(isRepeatable: true, deadline: 100))
        _ = machine.connected()
        _ = machine.submit(2, CallTerms(isRepeatable: true, deadline: 50))
        _ = machine.submit(3, CallTerms(isRepeatable: true, deadline: 200))
        #expect(machine.nextDeadline == 50)
        #expect(machine.expire(now: 49) == [])
        #expect(
            machine.expire(now: 100) == [
                .fail(1, .deadlineExceeded(wasSent: true)), .fail(2, .deadlineExceeded(wasSent: false)),
            ])
        #expect(machine.nextDeadline == 200)
        #expect(machine.received(1, .result(isFinal: true)) == .init(.toNobody, [.send(3)]))
    }

    @Test func `the deadline of a watch ends with its first event`() {
        var machine = machine()
        _ = machine.submit(1, CallTerms(isRepeatable: false, isStream: true, deadline: 10))
        _ = machine.connected()
        #expect(machine.nextDeadline == 10)
        _ = machine.received(1, .result(isFinal: false))
        #expect(machine.nextDeadline == nil)
        #expect(machine.expire(now: 1_000) == [])
    }

    @Test func `a stopping daemon gets nothing new, and what it refused goes to the next one`() {
        var machine = machine()
        _ = machine.submit(1, repeatable)
        _ = machine.connected()
        #expect(machine.received(1, .refusedBecauseShuttingDown) == .init(.toNobody))
        #expect(machine.submit(2, once) == [])
        #expect(machine.connectionLost() == [.connect])
        #expect(machine.connected() == [.send(1), .send(2)])
    }

    @Test func `a call that must not be repeated gets a stopping daemon's refusal`() {
        var machine = machine()
        _ = machine.submit(1, once)
        _ = machine.connected()
        #expect(machine.received(1, .refusedBecauseShuttingDown) == .init(.asLast))
        #expect(machine.submit(2, once) == [])
        #expect(machine.connectionLost() == [.connect])
    }

    @Test func `closing ends every call and refuses later ones`() {
        var machine = machine()
        _ = machine.submit(1, once)
        _ = machine.connected()
        _ = machine.submit(2, stream)
        #expect(machine.close() == [.fail(1, .closed), .fail(2, .closed), .disconnect])
        #expect(machine.submit(3, once) == [.fail(3, .closed)])
        #expect(machine.close() == [])
        #expect(machine.received(1, .result(isFinal: true)) == .init(.toNobody))
        #expect(machine.connectionLost() == [])
    }

    @Test func `a connection that stands after closing is closed`() {
        var machine = machine()
        _ = machine.submit(1, once)
        #expect(machine.close() == [.fail(1, .closed)])
        #expect(machine.connected() == [.disconnect])
    }

    @Test func `an answer to an unknown id is ignored`() {
        var machine = machine()
        _ = machine.submit(1, once)
        _ = machine.connected()
        #expect(machine.received(77, .result(isFinal: true)) == .init(.toNobody))
    }

    @Test func `calls that expire while there is no connection leave nothing behind`() {
        var machine = machine()
        _ = machine.submit(1, once)
        #expect(machine.connectFailed() == [.connect])
        #expect(machine.connectFailed() == [.pause(attempt: 1)])
        var call = repeatable
        for id in UInt64(2)..<20_000 {
            call.deadline = id
            #expect(machine.submit(id, call) == [])
            #expect(machine.expire(now: id) == [.fail(id, .deadlineExceeded(wasSent: false))])
        }
        #expect(machine.waiting.count < 1_000)
        _ = machine.submit(30_000, repeatable)
        #expect(machine.pauseEnded() == [.connect])
        #expect(machine.connected() == [.send(1), .send(30_000)])
    }
}
