internal import NIOCore
internal import StoreBasics
internal import StoreEngine
internal import StoreProtocol

/// Of which areas an answer may hold anything. A call takes one right, but its answer may lie in further areas, and a
/// right to write lets nobody read.
struct AnswerScope: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let conversations = AnswerScope(rawValue: 1)
    static let messages = AnswerScope(rawValue: 2)
    static let contacts = AnswerScope(rawValue: 4)
    /// The log that the request names.
    static let log = AnswerScope(rawValue: 8)
    static let all: AnswerScope = [.conversations, .messages, .contacts, .log]

    /// What a caller with these rights may read of every entry.
    init(_ grants: Grants) {
        self = []
        let areas: [(Area, AnswerScope)] = [
            (.conversations, .conversations), (.messages, .messages), (.contacts, .contacts), (.logs, .log),
        ]
        for (area, scope) in areas where grants.allows(.read(area)) {
            insert(scope)
        }
    }

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }
}

extension CallPermissions {
    /// What the answer to a command may hold.
    func answerScope(_ command: Command) -> AnswerScope {
        switch command {
        case .mutation(.openLog(let log, _)), .pointRead(.log(let log)):
            allows(.getLog, name: log.text) ? everyAnswerScope.union(.log) : everyAnswerScope
        default: everyAnswerScope
        }
    }
}

extension ResponseEncoder {
    /// Appends the answer to a request, without what its caller may not read.
    func append(_ answer: Answer, to request: RunningRequest, in buffer: inout ByteBuffer) {
        append(answer.limited(to: request.answerScope), ResponseHead(id: request.id), to: &buffer)
    }
}

extension Answer {
    /// The answer without what lies outside of the scope.
    fileprivate func limited(to scope: AnswerScope) -> Answer {
        guard scope != .all else { return self }
        switch self {
        case .conversation(let conversation):
            return .conversation(conversation.limited(to: scope))
        case .conversations(var page):
            page.conversations = page.conversations.map { $0.limited(to: scope) }
            return .conversations(page)
        case .statistics(var statistics, let databaseBytes):
            if !scope.contains(.contacts) {
                statistics.contactCount = 0
            }
            return .statistics(statistics, databaseBytes: databaseBytes)
        case .log(let info):
            return .log(info.limited(to: scope))
        // They hold nothing, what the caller sent, or what the right that the call takes lets read.
        case .hello, .pong, .status, .metrics, .cancelled, .failure, .commit, .progress, .contact, .contacts,
            .sceneValues, .scenes, .logs, .logEntries, .appended, .blob, .changes, .watchEvent, .compacted,
            .administration:
            return self
        }
    }
}

extension Conversation {
    /// A caller who may not read conversations gets what names this one; who may not read messages, no message.
    fileprivate func limited(to scope: AnswerScope) -> Conversation {
        var limited = self
        if !scope.contains(.messages) {
            limited.lastMessage = nil
        }
        guard !scope.contains(.conversations) else {
            return limited
        }
        limited.displayName = nil
        limited.avatar = nil
        limited.hasAvatar = false
        limited.isPinned = false
        limited.isMuted = false
        limited.messageCount = 0
        limited.unreadCount = 0
        limited.lastMessage = nil
        limited.createdAt = .absent
        limited.updatedAt = .absent
        limited.lastActivityAt = .absent
        return limited
    }
}

extension Log {
    /// A caller who may only write it gets what it has to be opened with.
    fileprivate func limited(to scope: AnswerScope) -> Log {
        guard !scope.contains(.log) else {
            return self
        }
        var limited = self
        limited.createdAt = .absent
        limited.sequences = nil
        limited.usedBytes = 0
        return limited
    }
}

extension Timestamp {
    /// Not written into an answer.
    fileprivate static let absent = Timestamp(microseconds: 0)
}
