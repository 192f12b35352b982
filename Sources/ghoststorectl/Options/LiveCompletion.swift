import ArgumentParser
import StoreClient

/// Names that are in the store now, for the completion of a word.
enum LiveNames: Sendable {
    case backups
    case contacts
    case conversations
    case logs
    case messages
    case messagesAndStatuses
    case scenes

    private static let rowsMax = 200
    /// A person waits for it.
    private static let deadline = Duration.seconds(1)

    /// Only what needs no answer when the daemon gives none.
    func find(_ words: [String]) async -> [String] {
        await stored(words).filter(Self.isPlainWord) + fixed
    }

    private var fixed: [String] {
        switch self {
        case .backups, .contacts, .conversations, .logs, .messages, .scenes: []
        case .messagesAndStatuses: StatusOption.allValueStrings
        }
    }

    private func stored(_ words: [String]) async -> [String] {
        var configuration = ClientConfiguration()
        (configuration.callDeadline, configuration.connectTimeout) = (Self.deadline, Self.deadline)
        do throws(StoreClientError) {
            let client = try await StoreClient.connect(to: Self.socket(words), configuration: configuration)
            let names = try await names(client)
            await client.close()
            return names
        } catch {
            return []
        }
    }

    private func names(_ client: StoreClient) async throws(StoreClientError) -> [String] {
        switch self {
        case .backups:
            try await client.backups().map(\.name)
        case .contacts:
            try await client.contactPage(limit: Self.rowsMax).contacts.map(\.sessionID)
        case .conversations:
            try await client.conversationPage(limit: Self.rowsMax).conversations.map(\.sessionID)
        case .logs:
            try await client.logPage(limit: Self.rowsMax).logs.map(\.name)
        case .messages, .messagesAndStatuses:
            // The newest one of each conversation.
            try await client.conversationPage(limit: Self.rowsMax).conversations.compactMap(\.lastMessage?.id)
        case .scenes:
            try await client.scenePage(limit: Self.rowsMax).scenes.map(\.scene)
        }
    }

    /// Whether a name means itself wherever a shell's completion puts it. Whoever may write to the store chooses names:
    /// bash runs every word that is offered through its expansions (`compgen -W`), zsh ends a word at a colon, a person
    /// then presses Return on what was put into the line, and this program takes what begins with a hyphen for an
    /// option.
    private static func isPlainWord(_ name: String) -> Bool {
        // By scalars: a character of a letter and an ASCII sign would be a letter.
        !name.isEmpty && !name.hasPrefix("-")
            && name.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII ? plainSigns.contains(scalar) : scalar.properties.isAlphabetic
            }
    }

    private static let plainSigns = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._@/+-".unicodeScalars)

    /// As the words before the one to complete name it.
    private static func socket(_ words: [String]) -> String? {
        if let index = words.lastIndex(of: "--socket"), words.indices.contains(index + 1) {
            return words[index + 1]
        }
        return words.last { $0.hasPrefix("--socket=") }.map { String($0.dropFirst("--socket=".count)) }
    }
}

extension CompletionKind {
    /// What the running daemon knows.
    static func live(_ names: LiveNames) -> CompletionKind {
        .custom { words, _, _ in await names.find(words) }
    }
}
