import StoreBasics
import TestBasics

@testable import StoreEngine

/// A test that does each work on a store until it succeeds, interrupted at one statement after the other. Then the work
/// is done once on a twin of the store, which is never interrupted and reads everything from the database again.
struct FailedWrites {
    let failing: WriterInHand
    private let memory: WriterMemory
    private let rows: RowPrint
    private var comparison: TwinComparison
    private let clocks: FakeClocks
    private var generator: SplitMix
    /// The work that the failing store has done and the twin has not done yet.
    private var done: [FailedWork] = []
    private var fillerCount = 0
    private(set) var kinds: Set<MutationKind> = []
    private(set) var failureCount = 0
    private(set) var findings: [String] = []
    private var subject = ""

    init(_ failing: WriterInHand, _ twin: WriterInHand, _ clocks: FakeClocks, seed: UInt64) throws {
        self.failing = failing
        self.clocks = clocks
        generator = SplitMix(seed: seed)
        memory = try FailedWorks.memory()
        rows = try RowPrint(try failing.context.openConnection(), isComparable: false)
        comparison = try TwinComparison(failing, twin)
    }

    mutating func run(_ works: [FailedWork]) throws {
        for (index, work) in works.enumerated() {
            subject = "\(index) \("\(work)".prefix(90))"
            try run(work)
            findings += try comparison.findings(behind: done).map { "\(subject): \($0)" }
            done.removeAll()
        }
    }

    private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    private mutating func run(_ work: FailedWork) throws {
        switch work {
        case .reading, .time:
            if case .time(let seconds) = work { clocks.pass(seconds: seconds) }
            try work.perform(failing)
            done.append(work)
        case .indexing, .removal:
            try runUntilDone(work) { hand, place in
                Result { () throws(StoreError) in try work.performOwn(hand, place) }
            }
        case .request(let mutation, let key): try runRequest(mutation, key, work)
        case .ownRequest(let make): try runRequest(make(failing), nil, work)
        }
    }

    private mutating func runRequest(_ mutation: Mutation, _ key: IdempotencyKey?, _ work: FailedWork) throws {
        kinds.insert(MutationKind(mutation))
        var shares = false
        if case .request = work, key == nil, !mutation.mayNeedSeveralCommits {
            shares = true
        }
        let isDone = try runUntilDone(work, shares: shares) { hand, place in
            hand.perform([(mutation, key)], place)[0].map { _ in }
        }
        if !isDone {
            try runShared(mutation)
        }
    }

    private typealias Attempt = (WriterInHand, StatementFault.Place?) -> Result<Void, StoreError>

    // MARK: One request in a batch

    /// Interrupts the first statement, the second, and so on, and some jumps inside of statements, until the work
    /// succeeds because it has no more statements.
    ///
    /// - Parameter shares: if true, stops at the last statement of a transaction, so that the work can then be done in
    ///   a batch with others.
    /// - Returns: true if the work has succeeded.
    @discardableResult
    private mutating func runUntilDone(
        _ work: FailedWork, shares: Bool = false, _ attempt: Attempt
    ) throws -> Bool {
        var number = 1
        var jumpsBefore = 0
        while try fails(at: .statement(number), attempt) {
            // The last statement of a transaction with changes is the insert into the change log.
            let isLast = failing.fault.interruptedText.hasPrefix("INSERT INTO changes")
            let next = failing.fault.interruptedNumber + 1
            let jumps = failing.fault.jumpCount
            if jumps > jumpsBefore + 1 {
                let jump = jumpsBefore + 1 + self.number(jumps - jumpsBefore - 1)
                guard try fails(at: .jump(jump), attempt) else { break }
            }
            if isLast, shares { return false }
            jumpsBefore = jumps
            number = next + TestTier.count(number / 4, long: 0)
        }
        done.append(work)
        return true
    }

    /// Tries the work once with an interruption.
    ///
    /// - Returns: false if the work has succeeded, or was refused without an interruption.
    private mutating func fails(at place: StatementFault.Place, _ attempt: Attempt) throws -> Bool {
        try failing.context.commitPages()
        // In half of the tries, an acknowledged write is in the open transaction.
        let hasFiller = number(2) == 0
        if hasFiller {
            try fill()
        }
        let before = hasFiller ? [:] : try rows.take()
        let told = hasFiller || number(8) > 0 ? nil : try failing.told()
        let outcome = attempt(failing, place)
        guard failing.fault.hasFired else {
            note(refusal: outcome)
            return false
        }
        failureCount += 1
        switch outcome {
        case .success: findings.append("\(subject): it was taken for done at \(place)")
        case .failure(let error) where error.reason != .deadlineExceeded:
            findings.append("\(subject): \(error) at \(place)")
        case .failure: break
        }
        if !failing.published.isEmpty || failing.publishedAppends > 0 {
            findings.append("\(subject): a failed write was published at \(place)")
        }
        try checkMemory(at: place)
        if !hasFiller {
            findings += RowPrint.differences(before, try rows.take()).map { "\(subject): rows at \(place): \($0)" }
        }
        if let told {
            findings += try told.differences(from: failing.told()).map { "\(subject): told at \(place): \($0)" }
        }
        return true
    }

    private mutating func note(refusal outcome: Result<Void, StoreError>) {
        guard case .failure(let error) = outcome,
            error.reason == .internal || error.reason == .deadlineExceeded || error.concernsWholeStore
        else { return }
        findings.append("\(subject): refused: \(error)")
    }

    private mutating func checkMemory(at place: StatementFault.Place) throws {
        try failing.context.commitPages()
        findings += try memory.findings(failing).map { "\(subject): memory at \(place): \($0)" }
    }

    /// Performs an unrelated write before the work.
    private mutating func fill() throws {
        let filler = try nextFiller()
        note(refusal: failing.perform([filler.mutation])[0].map { _ in })
        done.append(filler.work)
    }

    private mutating func nextFiller() throws -> (work: FailedWork, mutation: (Mutation, IdempotencyKey?)) {
        fillerCount += 1
        let mutation = try FailedWorks.filler(fillerCount)
        return (.request(mutation, nil), (mutation, nil))
    }

    // MARK: Several requests in a batch

    /// Performs the request between two others in one batch.
    private mutating func runShared(_ mutation: Mutation) throws {
        var number = 1
        while true {
            let key = try IdempotencyKey("shared \(fillerCount)")
            let work = FailedWork.request(mutation, key)
            let group = [try nextFiller(), (work, (mutation, key)), try nextFiller()]
            let place = StatementFault.Place.behindKey(number)
            let answers = failing.perform(group.map(\.mutation), place)
            for (member, answer) in zip(group, answers) {
                switch answer {
                case .success: done.append(member.work)
                case .failure(let error):
                    failureCount += 1
                    if !failing.fault.hasFired { note(refusal: .failure(error)) }
                }
            }
            try checkMemory(at: place)
            if case .success = answers[1] { return }
            guard failing.fault.hasFired else { return done.append(work) }
            number += 1 + self.number(3)
        }
    }
}
