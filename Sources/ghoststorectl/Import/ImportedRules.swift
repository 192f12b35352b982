import StoreClient

/// The retention rules that a file contains for its conversations.
///
/// The rules are applied after all lines of the file are in the store, and a person is asked before the rules delete
/// messages. A rule may delete messages that were in the store before the import. If a rule were set as soon as its
/// line is read, each message of a later line might make the rule delete another message.
struct ImportedRules: Sendable {
    /// The retention rule of one conversation: for each of its settings, the last value in the file.
    private struct Rule: Sendable {
        let sessionID: String
        var lineNumber: UInt64
        var keepFor: Duration?
        var keepCount: Int?

        var update: ConversationUpdate {
            var update = ConversationUpdate()
            update.keepFor = FieldUpdate(present: keepFor)
            update.keepCount = FieldUpdate(present: keepCount)
            return update
        }
    }

    /// The number of calls in flight at once.
    private static let callsMax = 64

    /// The rules by the bytes of the session ID, because texts that only look the same are different conversations.
    private var rules: [[UInt8]: Rule] = [:]

    mutating func add(_ line: ConversationLine, lineNumber: UInt64) {
        guard line.keepFor != nil || line.keepCount != nil else { return }
        let key = Array(line.sessionID.utf8)
        var rule = rules[key] ?? Rule(sessionID: line.sessionID, lineNumber: lineNumber)
        rule.lineNumber = lineNumber
        rule.keepFor = line.keepFor ?? rule.keepFor
        rule.keepCount = line.keepCount ?? rule.keepCount
        rules[key] = rule
    }

    /// Applies the rules that differ from those in the store.
    ///
    /// - Parameters:
    ///   - summary: The counts of what the import wrote. This function adds the number of messages that the rules
    ///     delete.
    ///   - asks: True to ask on the terminal before rules delete messages.
    /// - Throws: `CommandFailure`; the lines of the file are in the store in that case.
    func set(_ client: StoreClient, asks: Bool, _ summary: inout ImportSummary) async throws(CommandFailure) {
        let written = summary.sentence
        do {
            let ordered = rules.values.sorted { $0.lineNumber < $1.lineNumber }
            let previews = try await Self.each(ordered) { rule in
                try await client.previewUpdate(of: .sessionID(rule.sessionID), rule.update)
            }
            let changing = zip(ordered, previews).filter { $1.updatedCount > 0 }
            let deleting = changing.filter { $1.deletedCount > 0 }
            let deletedCount = deleting.reduce(0) { $0 + $1.1.deletedCount }
            if asks, deletedCount > 0 {
                let names = deleting.count == 1 ? deleting[0].0.sessionID : "\(deleting.count) conversations"
                try Confirmation.ask(
                    "The lines of the file are saved. Now set keep_for and keep_count of \(names) to the values of the "
                        + "file? This deletes \(Quantity.count(deletedCount, "message")) now, and will delete further "
                        + "messages later.",
                    word: "delete")
            }
            _ = try await Self.each(changing.map(\.0)) { rule in
                try await client.updateConversation(.sessionID(rule.sessionID), rule.update)
            }
            summary.deletedMessageCount = deletedCount
        } catch {
            let failure = FailureMapping.failure(of: error)
            let sentence =
                failure.status == .declined
                ? "not confirmed; \(written), but keep_for and keep_count are not set"
                : "\(failure.cause); \(written), but perhaps not the keep_for and keep_count of every conversation"
            throw failure.saying { _ in failure.hint.map { "\(sentence); hint: \($0)" } ?? sentence }
        }
    }

    /// Makes a call for each rule, several at once.
    ///
    /// - Returns: The answers in the order of the rules.
    private static func each(
        _ rules: [Rule], _ call: @escaping @Sendable (Rule) async throws -> Commit
    ) async throws -> [Commit] {
        var answers: [Commit] = []
        for start in stride(from: 0, to: rules.count, by: callsMax) {
            let some = rules[start..<min(start + callsMax, rules.count)]
            answers += try await withThrowingTaskGroup(of: (Int, Commit).self) { group in
                for (index, rule) in zip(some.indices, some) {
                    group.addTask { (index, try await Self.atLine(rule, call)) }
                }
                var commits: [(index: Int, commit: Commit)] = []
                for try await (index, commit) in group {
                    commits.append((index, commit))
                }
                return commits.sorted { $0.index < $1.index }.map(\.commit)
            }
        }
        return answers
    }

    private static func atLine(_ rule: Rule, _ call: (Rule) async throws -> Commit) async throws -> Commit {
        do {
            return try await call(rule)
        } catch let error as StoreClientError {
            throw FailureMapping.failure(of: error).saying { "line \(rule.lineNumber): \($0)" }
        }
    }
}
