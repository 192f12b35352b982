import ReplicaModel
import StoreBasics
import StoreCrypto
import TestBasics

@testable import StoreEngine

/// An agent that carries messages between the devices of a fleet. Each of the agent's requests is interrupted at one
/// statement after the other before it succeeds.
final class FailingAgent {
    let fleet: ReplicaFleet
    private(set) var findings: [String] = []
    private(set) var failureCount = 0

    init(_ fleet: ReplicaFleet) {
        self.fleet = fleet
    }

    /// Performs a request until it succeeds.
    ///
    /// - Parameter make: returns the request. It is called for each try, because an invitation code can be used only
    ///   once.
    @discardableResult
    func perform(_ index: Int, _ make: @escaping @Sendable () throws -> ReplicaWork) throws -> ReplicaResult {
        let engine = fleet.devices[index].engine
        let (answer, found, count) = try WriterInHand.with(engine) { hand in
            var attempts = try ReplicaAttempts(hand)
            return (try attempts.performUntilDone(make), attempts.findings, attempts.failureCount)
        }
        findings += found.map { "device \(index): \($0)" }
        failureCount += count
        guard case .replica(let result) = try answer.get() else {
            throw StoreError(.internal, "the store answered a group request with the result of another request")
        }
        return result
    }

    func publish(_ index: Int) throws {
        for place in try fleet.status(index).outgoing {
            var stored = place.sequence
            while true {
                let work = OutgoingRequest(channel: place.channel, storedThrough: stored, bytesMax: 1 << 20)
                guard case .taken(let messages) = try perform(index, { .take(work) }), let last = messages.last else {
                    break
                }
                for message in messages {
                    fleet.log.append(place.channel, message.sequence, message.bytes)
                }
                stored = last.sequence
            }
        }
    }

    /// Hands in the messages that a device lacks from the channels that it follows.
    ///
    /// - Returns: true if a message was merged.
    func handIn(_ index: Int) throws -> Bool {
        var hasMerged = false
        for place in try fleet.status(index).followed {
            var next = place.sequence
            while let (bytes, isOldest) = fleet.log.next(place.channel, after: next) {
                let message = ReplicaMessage(channel: place.channel, bytes: bytes, isOldestKept: isOldest)
                guard case .handedIn(.merged(let following)) = try perform(index, { .handIn(message) }) else { break }
                next = following - 1
                hasMerged = true
            }
        }
        return hasMerged
    }

    /// Publishes and delivers all messages until no device has anything to publish.
    func settle() throws {
        for _ in 0..<50 {
            var isQuiet = true
            for index in fleet.devices.indices {
                try publish(index)
            }
            for index in fleet.devices.indices where try handIn(index) {
                isQuiet = false
            }
            if isQuiet { return }
        }
        throw StoreError(.internal, "the devices never stop to tell each other something")
    }
}

/// The tries of one request of an agent, until it succeeds.
private struct ReplicaAttempts {
    private let hand: WriterInHand
    private let rows: RowPrint
    private let memory = WriterMemory(conversations: [.session(SessionID(trusted: "ann"))], logs: [])
    private(set) var findings: [String] = []
    private(set) var failureCount = 0

    init(_ hand: WriterInHand) throws {
        self.hand = hand
        rows = try RowPrint(hand.context.openConnection(), isComparable: false)
    }

    mutating func performUntilDone(_ make: () throws -> ReplicaWork) throws -> WriterInHand.Answer {
        var number = 1
        while true {
            try hand.context.commitPages()
            let before = try rows.take()
            let place = StatementFault.Place.statement(number)
            let answer = hand.perform([(.replica(try make()), nil)], place)[0]
            guard hand.fault.hasFired else { return answer }
            failureCount += 1
            switch answer {
            case .success: findings.append("it was taken for done at \(place): \(hand.fault.interruptedText)")
            case .failure(let error) where error.reason != .deadlineExceeded:
                findings.append("\(error) at \(place): \(hand.fault.interruptedText)")
            case .failure: break
            }
            try hand.context.commitPages()
            findings += try memory.findings(hand).map { "memory at \(place): \($0)" }
            findings += RowPrint.differences(before, try rows.take()).map { "rows at \(place): \($0)" }
            number = hand.fault.interruptedNumber + 1 + TestTier.count(number / 4, long: 0)
        }
    }
}
