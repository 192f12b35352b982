/// The rule that few hand-written files of protocol, server and engine contain the name of a call, so that a new call
/// changes few files.
struct CallHomeRule {
    /// The kind of a call, as declared in its row of the call table.
    enum Order {
        case read, administration, mutation

        /// The largest number of hand-written files that may contain the name of a call: the file with its row, the
        /// file with its function in the engine and, for a mutation, the file of `Mutation`. Generated files do not
        /// count.
        var filesMax: Int {
            switch self {
            case .read, .administration: 2
            case .mutation: 3
            }
        }
    }

    /// `CallKind`, which is generated.
    let kinds: SwiftSource
    /// The hand-written files of protocol, server and engine.
    let sources: [SwiftSource]
    /// For each call, the additional files that contain its name for a good reason.
    var elsewhere: [String: [String]] = [:]

    static let elsewhere = [
        // The reads whose latency matters most have cases of their own in these files, so that they run without a
        // closure.
        "getMessage": ["Harness/Command.swift", "Connection/RequestRunner.swift"],
        "listMessages": ["Harness/Command.swift", "Connection/RequestRunner.swift"],
        "getSceneValues": ["Harness/Command.swift", "Connection/RequestRunner.swift"],
        // The global tier is removed from the calls of a user with rights to only some scenes.
        "setSceneValues": ["Harness/Command.swift"],
        // An import of blobs saves its messages with this call.
        "saveMessages": ["Engine/StoreEngine+Transfers.swift"],
        // Restores and merges delete what an archive of changes or another device lists as removed.
        "deleteConversation": [
            "Restoring/ArchiveRestoring+Removals.swift",
            "Replication/Parts/ReplicaMergeWrites+Conversations.swift",
        ],
        "deleteDraft": ["Restoring/ArchiveRestoring+Removals.swift"],
        "deleteContact": [
            "Restoring/ArchiveRestoring+Removals.swift", "Replication/Parts/ReplicaMergeWrites+Things.swift",
        ],
        "removeReaction": [
            "Restoring/ArchiveRestoring+Reactions.swift", "Replication/Parts/ReplicaMergeWrites+Things.swift",
        ],
        "deleteLog": ["Restoring/ArchiveRestoring+Removals.swift"],
        // The engine's functions for replica groups only wait for the writer. The work that the writer does is in
        // another file.
        "createReplicaGroup": [
            "Engine/StoreEngine+Replication.swift", "Replication/Parts/ReplicaGroupWrites.swift",
        ],
        "joinReplicaGroup": [
            "Engine/StoreEngine+Replication.swift", "Replication/Parts/ReplicaGroupWrites.swift",
        ],
        "dismissLostEdit": [
            "Engine/StoreEngine+Replication.swift", "Replication/Parts/ReplicaWork.swift",
        ],
        "removeReplicaDevice": [
            "Engine/StoreEngine+Replication.swift", "Replication/Parts/ReplicaGroupWrites+Members.swift",
        ],
        // `clear_all_data` may take the store out of its group.
        "leaveReplicaGroup": [
            "Engine/StoreEngine+Replication.swift", "Calls/MaintenanceCalls.swift",
            "Replication/Parts/ReplicaGroupWrites.swift",
        ],
        // These names also occur as names of results.
        "appendLog": ["Harness/Answer.swift"],
        "compactChanges": ["Harness/Answer.swift"],
    ]

    /// The calls of `CallKind`. Calls of a single word, such as `lock`, are left out, because such words also occur
    /// with other meanings.
    var calls: [String] {
        kinds.codeLines.compactMap { line in
            line.firstMatch(of: /^    case (\w*[A-Z]\w*) = [0-9]+$/).map { String($0.1) }
        }
    }

    func findings() -> [Finding] {
        let orders = orders()
        return calls.flatMap { call in
            var naming = sources.filter { $0.codeLines.contains { $0.holds(call) && $0.names(call) } }.map(\.path)
            let unused = elsewhere[call, default: []].filter { excepted in
                let count = naming.count
                naming.removeAll { $0.hasSuffix("/" + excepted) }
                return naming.count == count
            }
            return problems(call, orders[call], naming, unused).map { Finding(path: "CallKind", line: 1, message: $0) }
        }
    }

    private func problems(_ call: String, _ order: Order?, _ naming: [String], _ unused: [String]) -> [String] {
        guard let order else { return ["\(call) has no row"] }
        var problems = unused.map { "\(call) is not named in \($0) any more; take the exception away" }
        if naming.count > order.filesMax {
            problems.append(
                "\(call) is named in \(naming.count) files, the most is \(order.filesMax): "
                    + naming.joined(separator: ", "))
        }
        return problems
    }

    /// Returns the kind of each call. It is in the first two arguments of a row: the required right and the kind.
    private func orders() -> [String: Order] {
        var orders: [String: Order] = [:]
        for source in sources where source.path.hasSuffix("Calls.swift") {
            let code = source.codeLines.joined(separator: "\n")
            for row in code.matches(of: /static let (\w+) = CallRule\(\s*\.(\w+)(?:\(\.\w+\))?,\s*\.(\w+)/) {
                orders[String(row.1)] =
                    row.3 == "write" ? .mutation : row.2 == "administration" ? .administration : .read
            }
        }
        return orders
    }
}

extension String {
    /// Returns true if the text contains `word` as a whole word.
    fileprivate func names(_ word: String) -> Bool {
        ranges(of: word).contains { range in
            let before = self[..<range.lowerBound].last
            let after = self[range.upperBound...].first
            return ![before, after].contains { $0.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false }
        }
    }
}
