import Glibc
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Machines with a store each. The test sets their wall clocks, and the world knows the true time.
final class ClockWorld {
    /// A machine: its clocks, their errors, and the messages that its store had.
    struct Machine {
        let clocks = FakeClocks()
        /// The wall clock minus the true time.
        var errorSeconds: Int64 = 0
        /// The true time since which the clock is ahead; `nil` if it is not ahead.
        var aheadSince: Int64?
        /// True if a clock that is ahead is corrected within a day of true time.
        var isCorrectedInTime: Bool
        /// The ids of the messages that the store had when the test last looked at it.
        var seen: Set<String> = []
    }

    var generator: SplitMix
    private(set) var now: Int64
    fileprivate(set) var model: ClockModel
    private(set) var machines: [Machine] = []
    private var store: (Int) -> TemporaryStore = { _ in fatalError("there is no store yet") }
    fileprivate var savedCount = 0

    init(seed: Int) {
        generator = SplitMix(seed: UInt64(seed))
        now = FakeClocks().wall.microseconds
        model = ClockModel(startedAt: now)
    }

    func setStores(_ store: @escaping (Int) -> TemporaryStore) {
        self.store = store
    }

    func engine(_ index: Int) -> StoreEngine { store(index).engine }

    func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    /// Returns a random number from a range. All orders of magnitude are equally likely.
    private func logarithmic(_ range: ClosedRange<Int64>) -> Int64 {
        let power = Double.random(in: log(Double(range.lowerBound))...log(Double(range.upperBound)), using: &generator)
        return Int64(exp(power))
    }

    // MARK: Clocks

    func addMachine(isCorrectedInTime: Bool) {
        machines.append(Machine(isCorrectedInTime: isCorrectedInTime))
        machines[machines.count - 1].clocks.synchronize(to: Timestamp(microseconds: now))
    }

    /// Lets true time pass on all machines except the machine `off`.
    func pass(seconds: Int64, except off: Int? = nil) throws {
        for index in machines.indices where index != off {
            let machine = machines[index]
            let wait = now + seconds * ClockModel.second - (machine.aheadSince ?? .max)
            if machine.isCorrectedInTime, machine.aheadSince != nil, wait > ClockModel.day * 5 / 6 {
                try correct(index)
            }
        }
        for index in machines.indices where index != off {
            machines[index].clocks.pass(seconds: seconds)
        }
        now += seconds * ClockModel.second
    }

    /// Lets a random time of up to 30,000 seconds pass, and checks all stores.
    func passSome() throws {
        try pass(seconds: logarithmic(1...30_000))
        for index in machines.indices {
            try look(index)
        }
    }

    /// Sets a wall clock to a wrong time while the store is open.
    func jumpWhileOpen(_ index: Int) throws {
        jump(index)
        if machines[index].errorSeconds <= 0 || number(2) == 0 {
            try look(index)
        }
    }

    /// Sets a wall clock forward or back by a random time of up to two years.
    func jump(_ index: Int) {
        let seconds = logarithmic(2...63_072_000) * (number(2) == 0 ? 1 : -1)
        machines[index].clocks.setWall(bySeconds: seconds)
        machines[index].errorSeconds += seconds
        let isAhead = machines[index].errorSeconds > 0
        machines[index].aheadSince = isAhead ? machines[index].aheadSince ?? now : nil
    }

    /// Corrects a wall clock and lets the store notice it.
    func correct(_ index: Int, isSynchronized: Bool? = nil) throws {
        setRight(index, isSynchronized: isSynchronized ?? (number(2) == 0))
        try look(index)
    }

    private func setRight(_ index: Int, isSynchronized: Bool) {
        if isSynchronized {
            machines[index].clocks.synchronize(to: Timestamp(microseconds: now))
        } else {
            machines[index].clocks.setWall(bySeconds: -machines[index].errorSeconds)
        }
        machines[index].errorSeconds = 0
        machines[index].aheadSince = nil
    }

    // MARK: Stores

    /// Deletes due messages, as the timer of a running store does, and checks the result.
    func look(_ index: Int) throws {
        try engine(index).write(.removeDueMessages)
        try observe(index)
    }

    /// Stops a daemon and starts it again. The machine keeps running or is switched off in between, and the wall clock
    /// may be set.
    func restart(_ index: Int) throws {
        let isMachineOff = number(3) == 0
        let seconds = isMachineOff ? logarithmic(60...200_000) : 1 + Int64(number(100))
        if isMachineOff, machines[index].aheadSince != nil, machines[index].isCorrectedInTime {
            try correct(index)
        }
        try store(index).restart(isKilled: number(2) == 0) {
            try pass(seconds: seconds, except: index)
            if isMachineOff {
                machines[index].clocks.restartMachine(offSeconds: seconds, isSynchronized: false)
            } else {
                machines[index].clocks.pass(seconds: seconds)
            }
            switch number(4) {
            case 0...1: jump(index)
            case 2: setRight(index, isSynchronized: true)
            default: break
            }
            return machines[index].clocks.clocks
        }
        try observe(index)
    }

    /// Checks that every message which a store lacks was allowed to be deleted.
    func observe(_ index: Int) throws {
        let there = try ids(index)
        for id in machines[index].seen.subtracting(there).sorted() where !model.mayBeGone(id, at: now) {
            Issue.record("device \(index) has lost \(id), \(String(describing: model.messages[id])), at \(now)")
        }
        machines[index].seen = there
    }

    func ids(_ index: Int) throws -> Set<String> {
        let reader = store(index).reader
        var ids: Set<String> = []
        for talk in ClockModel.Talk.allCases {
            guard try reader.conversation(talk.reference, includeAvatar: false) != nil else { continue }
            ids.formUnion(
                try reader.messages(MessageQuery(conversation: talk.reference, limit: 500)).messages.map(\.id.text))
        }
        return ids
    }
}

// MARK: Writes of applications

extension ClockWorld {
    /// Performs a random action of an application on a device. The device never joins the group by this.
    func act(on index: Int) throws {
        switch number(16) {
        case 0...3: try saveSome(index)
        case 4: try readOne(index)
        case 5: try editOne(index)
        case 6: try deleteOne(index)
        case 7...8: try jumpWhileOpen(index)
        case 9: try correct(index)
        case 10: try restart(index)
        case 11...13: try passSome()
        default: try look(index)
        }
    }

    /// Creates the conversations and sets their rules on a device. The other devices get them by replication.
    func makeTalks(_ index: Int) throws {
        for talk in ClockModel.Talk.allCases {
            try engine(index).write(.getOrCreateConversation(talk.session, id: nil, displayName: nil))
        }
        var keptFor = ConversationRetention()
        keptFor.keepFor = try RetentionPeriod(milliseconds: UInt64(ClockModel.keepFor) / 1_000)
        var keptCount = ConversationRetention()
        keptCount.keepCount = UInt32(ClockModel.keepCount)
        for (talk, retention) in [(ClockModel.Talk.keptFor, keptFor), (.keptCount, keptCount)] {
            let update = ConversationUpdate(retention: RetentionUpdate(all: retention))
            try engine(index).write(.updateConversation(talk.reference, update))
        }
    }

    /// Saves messages with the true time; some share one time, and some are older.
    private func saveSome(_ index: Int) throws {
        for _ in 0...number(3) {
            let talk = ClockModel.Talk.allCases[number(ClockModel.Talk.allCases.count)]
            savedCount += 1
            let id = "m\(number(10))-\(savedCount)"
            let timer = talk == .timed ? try timer() : nil
            var timestamp = now
            switch number(4) {
            case 0: timestamp -= timestamp % (600 * ClockModel.second)
            case 1 where talk != .keptFor: timestamp -= Int64(number(100_000)) * ClockModel.second
            default: break
            }
            let startedAt = timer?.start == .sending ? timestamp : nil
            model.save(
                id, ClockModel.Message(talk: talk, timestamp: timestamp, timer: timer, startedAt: startedAt))
            try engine(index).write(
                .saveMessage(
                    NewMessage(
                        id: EntityID(id), conversation: talk.reference, text: "text",
                        timestamp: Timestamp(microseconds: timestamp), timer: timer.map { .timer($0) } ?? .none)))
        }
        try observe(index)
    }

    private func timer() throws -> MessageTimer {
        let milliseconds = [60_000, 3_600_000, 172_800_000][number(3)]
        return MessageTimer(
            lifetime: try RetentionPeriod(milliseconds: UInt64(milliseconds)),
            start: number(2) == 0 ? .reading : .sending)
    }

    /// Returns the id of a random message of the device; `nil` if it has none.
    private func oneThere(_ index: Int) throws -> EntityID? {
        let ids = try ids(index).sorted()
        return ids.isEmpty ? nil : try EntityID(ids[number(ids.count)])
    }

    private func readOne(_ index: Int) throws {
        guard let id = try oneThere(index) else { return }
        if try change(id, .markMessagesRead([id]), on: index) {
            model.read(id.text, at: now)
        }
        try observe(index)
    }

    private func editOne(_ index: Int) throws {
        guard let id = try oneThere(index) else { return }
        savedCount += 1
        _ = try change(id, .editMessage(id, text: "edit \(savedCount)", editedAt: nil), on: index)
        try observe(index)
    }

    private func deleteOne(_ index: Int) throws {
        // The test does not delete messages under `keep_count`, because each deletion makes room for another message.
        guard let id = try oneThere(index), model.messages[id.text]?.talk != .keptCount else { return }
        if try change(id, .deleteMessages([id]), on: index) {
            model.delete(id.text)
        }
        try observe(index)
    }

    /// Changes a message that a reader has just returned.
    ///
    /// - Returns: false if the message has expired for the writer, which checks the clock more often than a reader.
    private func change(_ id: EntityID, _ mutation: Mutation, on index: Int) throws -> Bool {
        do {
            try engine(index).write(mutation)
            return true
        } catch let error as StoreError where error.reason == .messageNotFound {
            #expect(model.mayBeGone(id.text, at: now), "device \(index) refused \(id.text) at \(now)")
            return false
        }
    }
}
