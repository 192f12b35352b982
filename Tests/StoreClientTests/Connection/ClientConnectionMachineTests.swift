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

    @Test func `the first call opens a connection and is sent over it`() {
        var machine = machine()
        #expect(machine.submit(1, repeatable) == [.connect])
        #expect(machine.submit(2, once) == [])
        #expect(machine.connected() == [.send(1), .send(2)])
        #expect(machine.received(2, .result(isFinal: true)) == .init(.asLast))
        #expect(machine.received(1, .result(isFinal: true)) == .init(.asLast))
    }

    @Test func `calls beyond the limit wait, and are sent in order as responses arrive`() {
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

    @Test func `a watch does not count as a call in flight`() {
        var machine = machine(inFlightMax: 1)
        _ = machine.submit(1, stream)
        #expect(machine.connected() == [.send(1)])
        #expect(machine.submit(2, once) == [.send(2)])
    }

    @Test func `a call beyond the limit of waiting calls fails without effect on the others`() {
        var machine = machine(waitingMax: 2)
        _ = machine.submit(1, once)
        _ = machine.submit(2, once)
        #expect(machine.submit(3, once) == [.fail(3, .tooManyWaiting)])
        #expect(machine.connected() == [.send(1), .send(2)])
    }

    @Test func `after a lost connection repeatable calls are sent again in order, before waiting ones`() {
        var machine = machine(inFlightMax: 3)
        _ = machine.submit(1, repeatable)
        _ = machine.connected()
        _ = machine.submit(2, once)
        _ = machine.submit(3, repeatable)
        _ = machine.submit(4, once)
        #expect(machine.connectionLost() == [.fail(2, .connectionLost), .connect])
        #expect(machine.connected() == [.send(1), .send(3), .send(4)])
    }

    @Test func `a call that waits for a connection survives failed attempts, between which pauses grow`() {
        var machine = machine()
        _ = machine.submit(1, once)
        #expect(machine.connectFailed() == [.connect])
        #expect(machine.connectFailed() == [.pause(attempt: 1)])
        #expect(machine.pauseEnded() == [.connect])
        #expect(machine.connectFailed() == [.pause(attempt: 2)])
        #expect(machine.pauseEnded() == [.connect])
        #expect(machine.connected() == [.send(1)])
    }

    @Test func `a connection that is lost repeatedly without a response is not reopened in a tight loop`() {
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

    @Test func `a response that no call waits for does not reset the pauses between connections`() {
        var machine = machine()
        _ = machine.submit(1, repeatable)
        _ = machine.connected()
        #expect(machine.connectionLost() == [.connect])
        _ = machine.connected()
        // No call has the id 99. The response to the greeting, for example, also belongs to no call.
        #expect(machine.received(99, .result(isFinal: true)) == .init(.toNobody))
        #expect(machine.received(1, .refusedBecauseShuttingDown) == .init(.toNobody))
        #expect(machine.connectionLost() == [.pause(attempt: 1)])
    }

    @Test func `unreadable bytes fail the calls that wait for a response, and unsent calls are sent later`() {
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

    @Test func `a stream that is requested again after every loss is not sent in a tight loop`() {
        var machine = machine()
        _ = machine.submit(1, stream)
        _ = machine.connected()
        #expect(machine.connectionLost() == [.fail(1, .connectionLost)])
        #expect(machine.submit(2, stream) == [.connect])
        _ = machine.connected()
        #expect(machine.connectionLost() == [.fail(2, .connectionLost)])
        #expect(machine.submit(3, stream) == [.pause(attempt: 1)])
    }

    @Test func `no connection is opened while no call waits, and the next call opens one at once`() {
        var machine = machine()
        _ = machine.submit(1, repeatable)
        _ = machine.connected()
        _ = machine.received(1, .result(isFinal: true))
        #expect(machine.connectionLost() == [])
        #expect(machine.submit(2, repeatable) == [.connect])
    }

    @Test func `a pause that ends when no call waits opens no connection`() {
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

    /// The call is sent a second time, because the daemon may have closed the first connection only to make room for
    /// another client.
    @Test func `an impatient call is sent again on a second connection, and not on a third one`() {
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

    @Test func `an impatient call with an unreadable response is not sent again`() {
        var machine = machine()
        _ = machine.submit(1, impatient)
        _ = machine.connected()
        #expect(machine.connectionLost(isUnreadable: true) == [.fail(1, .unreachable)])
    }

    @Test func `the response to a cancelled call is dropped and lets the next call be sent`() {
        var machine = machine(inFlightMax: 1)
        _ = machine.submit(1, once)
        _ = machine.connected()
        _ = machine.submit(2, once)
        #expect(machine.cancel(1) == [.fail(1, .cancelled(wasSent: true))])
        #expect(machine.cancel(1) == [])
        #expect(machine.received(1, .result(isFinal: true)) == .init(.toNobody, [.send(2)]))
    }

    @Test func `a call that could not be written lets the next one be sent, and fails if its caller still waits`() {
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

    @Test func `a call sent on a lost connection may have taken effect, even if it ends later`() {
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

    @Test func `cancelling a watch ends it in the daemon, and its late events are dropped`() {
        var machine = machine()
        _ = machine.submit(1, stream)
        _ = machine.connected()
        #expect(machine.cancel(1) == [.fail(1, .cancelled(wasSent: true)), .sendCancel(1)])
        #expect(machine.received(1, .result(isFinal: false)) == .init(.toNobody))
        #expect(machine.received(1, .result(isFinal: true)) == .init(.toNobody))
    }

    @Test func `a deadline ends waiting and sent calls, and no call before its time`() {
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

    @Test func `the deadline of a watch no longer applies after its first event`() {
        var machine = machine()
        _ = machine.submit(1, CallTerms(isRepeatable: false, isStream: true, deadline: 10))
        _ = machine.connected()
        #expect(machine.nextDeadline == 10)
        _ = machine.received(1, .result(isFinal: false))
        #expect(machine.nextDeadline == nil)
        #expect(machine.expire(now: 1_000) == [])
    }

    @Test func `a stopping daemon gets no new calls, and the calls that it refused go to the next one`() {
        var machine = machine()
        _ = machine.submit(1, repeatable)
        _ = machine.connected()
        #expect(machine.received(1, .refusedBecauseShuttingDown) == .init(.toNobody))
        #expect(machine.submit(2, once) == [])
        #expect(machine.connectionLost() == [.connect])
        #expect(machine.connected() == [.send(1), .send(2)])
    }

    @Test func `a call that must not be repeated fails with a stopping daemon's refusal`() {
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

    @Test func `a connection that opens after the client was closed is closed`() {
        var machine = machine()
        _ = machine.submit(1, once)
        #expect(machine.close() == [.fail(1, .closed)])
        #expect(machine.connected() == [.disconnect])
    }

    @Test func `a response with an unknown id is ignored`() {
        var machine = machine()
        _ = machine.submit(1, once)
        _ = machine.connected()
        #expect(machine.received(77, .result(isFinal: true)) == .init(.toNobody))
    }

    @Test func `calls that expire while there is no connection are removed`() {
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
