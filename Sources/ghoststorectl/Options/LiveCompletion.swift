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

    /// None when the daemon does not answer.
    func find(_ words: [String]) async -> [String] {
        var configuration = ClientConfiguration()
        (configuration.callDeadline, configuration.connectTimeout) = (Self.deadline, Self.deadline)
        do throws(StoreClientError) {
            let client = try await StoreClient.connect(to: Self.socket(words), configuration: configuration)
            let names = try await names(client)
            await client.close()
            // A shell takes a line for a word, and shows it on the terminal.
            return names.filter { $0 == DisplayText.neutralized($0) }
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
        case .messages:
            // The newest one of each conversation.
            try await client.conversationPage(limit: Self.rowsMax).conversations.compactMap(\.lastMessage?.id)
        case .messagesAndStatuses:
            try await LiveNames.messages.names(client) + StatusOption.allValueStrings
        case .scenes:
            try await client.scenePage(limit: Self.rowsMax).scenes.map(\.scene)
        }
    }

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
