import StoreBasics

@testable import StoreEngine

/// The writer of an open store, for a test that runs on the writer's thread. Meanwhile nothing else writes to the
/// store: no client, and no background maintenance.
final class WriterInHand {
    let engine: StoreEngine
    let context: WriterContext
    let fault: StatementFault
    private let reader: StoreReader
    /// The changes that observers of commits would have received since the last request began.
    private(set) var published: [Change] = []
    private(set) var publishedAppends = 0
    /// The number of transactions that the last requests took.
    private(set) var transactionCount = 0

    init(_ engine: StoreEngine, _ context: WriterContext) throws {
        self.engine = engine
        self.context = context
        fault = StatementFault(try context.openConnection())
        reader = engine.makeReader()
    }

    typealias Answer = Result<MutationResult, StoreError>

    /// Performs requests as one batch. Requests that do not end in the first transaction continue in others.
    ///
    /// - Parameter place: the statement to interrupt in the first transaction.
    func perform(_ mutations: [(Mutation, IdempotencyKey?)], _ place: StatementFault.Place? = nil) -> [Answer] {
        (published, publishedAppends) = ([], 0)
        transactionCount = 0
        let writes = mutations.map { mutation, key in
            WriteQueue.Write(request: WriteRequest(mutation, idempotencyKey: key)) { _ in }
        }
        var answers = [Answer?](repeating: nil, count: writes.count)
        var next = place
        while true {
            let waiting = answers.indices.filter { answers[$0] == nil }
            guard !waiting.isEmpty else { break }
            let outcomes = runOnce(waiting.map { writes[$0] }, next)
            transactionCount += 1
            next = nil
            for (index, outcome) in zip(waiting, outcomes) {
                switch outcome {
                case .answered(let answer): answers[index] = answer
                case .unfinished(let progress): writes[index].recordProgress(progress, in: context.statistics.history)
                case .notBegun: break
                }
            }
        }
        return answers.compactMap(\.self)
    }

    /// Runs one transaction.
    ///
    /// - Parameter place: the statement to interrupt. With `nil`, the counts of the fault stay as they are.
    private func runOnce(_ writes: [WriteQueue.Write], _ place: StatementFault.Place?) -> [GroupCommit.Outcome] {
        let commit = GroupCommit(context: context, now: context.clock.wall) {
            [self] (changes, appends, statistics, usage) in
            published += changes
            publishedAppends += appends.count
            // `StoreEngine` does the same after a commit.
            _ = engine.status.recordCommit(statistics, usage)
        }
        guard let place else { return commit.run(writes) }
        return fault.at(place) { commit.run(writes) }
    }

    /// Runs a step of the writer's background work, and further steps until nothing is left.
    ///
    /// - Parameter place: the statement to interrupt in the first step.
    func performOwn(
        _ place: StatementFault.Place? = nil, _ step: (WriterContext) throws(StoreError) -> Bool
    ) throws(StoreError) {
        (published, publishedAppends) = ([], 0)
        var isLeft =
            if let place {
                try fault.at(place) { () throws(StoreError) in try step(context) }
            } else {
                try step(context)
            }
        while isLeft {
            isLeft = try step(context)
        }
    }

    /// Drops everything that the writer keeps in memory and can read again.
    func forget() throws {
        try context.commitPages()
        let connection = try context.openConnection()
        context.caches.areas.conversations.removeAll()
        context.caches.areas.openLogs.removeAll()
        context.caches.keptKeys.closed()
        context.statistics = try StatisticsRow.read(connection)
        context.fileUsage = try FileUsageRows.all(connection)
    }

    /// Returns everything that the store reports now.
    func told() throws -> StoreTold {
        try context.commitPages()
        return try StoreTold(engine, reader)
    }

    /// Reads the first attachment of a message, as an application does.
    func readAttachment(of message: EntityID) throws {
        try context.commitPages()
        _ = try reader.readAttachment(of: message, at: 0)
    }

    func end() {
        reader.close()
    }
}

/// A writer's context, which the thread of another writer uses.
///
/// `@unchecked Sendable` because the thread of the first writer waits while the thread of the second one uses both
/// contexts.
private struct LentContext: @unchecked Sendable {
    let context: WriterContext
}

extension WriterInHand {
    /// Runs `body` on the thread of the store's writer. Meanwhile no file of the vault is erased: readers do not see
    /// the commits of `body` yet, so a file of a new row would seem to belong to no row.
    static func with<Value: Sendable>(
        _ engine: StoreEngine, _ body: @escaping @Sendable (WriterInHand) throws -> Value
    ) throws -> Value {
        try engine.files.holdCleaning()
        defer { engine.files.releaseCleaning() }
        return try engine.writer.perform { context in
            Result { () throws -> Value in
                let hand = try WriterInHand(engine, context)
                defer { hand.end() }
                return try body(hand)
            }
        }.get()
    }

    /// Runs `body` with the writers of two stores, on the thread of the second store's writer.
    static func with<Value: Sendable>(
        _ first: StoreEngine, _ second: StoreEngine,
        _ body: @escaping @Sendable (WriterInHand, WriterInHand) throws -> Value
    ) throws -> Value {
        let outcome = try first.writer.perform { context throws(StoreError) in
            let lent = LentContext(context: context)
            return try second.writer.perform { other in
                Result { () throws -> Value in
                    let hands = (try WriterInHand(first, lent.context), try WriterInHand(second, other))
                    defer {
                        hands.0.end()
                        hands.1.end()
                    }
                    return try body(hands.0, hands.1)
                }
            }
        }
        return try outcome.get()
    }
}
