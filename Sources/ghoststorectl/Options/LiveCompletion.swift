import ArgumentParser
import StoreClient

/// A kind of name whose current values in the store complete a word.
enum LiveNames: Sendable {
    case backups
    case contacts
    case conversations
    /// The entries of a directory: for the word `document/a/b`, the entries of `document/a`.
    case files
    case histories
    case keySlots
    case logs
    case messages
    case messagesAndStatuses
    /// The session IDs of contacts and conversations.
    case people
    /// The other devices of the store's replica group that were not removed.
    case replicaDevices
    /// The keys of the scene whose name is the first operand.
    case sceneKeys
    /// The keys of a scene, and a value after each key.
    case sceneKeysAndValues
    case scenes

    private static let rowsMax = 200
    /// A person waits for the completion, so it must be fast.
    private static let deadline = Duration.seconds(1)

    /// Returns the completions. If the daemon does not answer, the completions are only fixed words.
    ///
    /// - Parameters:
    ///   - words: The words of the line, starting with the program.
    ///   - index: The index of the word to complete.
    func find(_ words: [String], _ index: Int) async -> [String] {
        await stored(words, index).filter(Self.isPlainWord) + fixed
    }

    private var fixed: [String] {
        switch self {
        case .messagesAndStatuses: WordOption<MessageStatus>.allValueStrings
        case .backups, .contacts, .conversations, .files, .histories, .keySlots, .logs, .messages, .people,
            .replicaDevices, .sceneKeys, .sceneKeysAndValues, .scenes:
            []
        }
    }

    private func stored(_ words: [String], _ index: Int) async -> [String] {
        let defaults = try? ClientDefaults.read()
        let deadline = min(Self.deadline, defaults?.timeout ?? Self.deadline)
        var configuration = ClientConfiguration()
        (configuration.callDeadline, configuration.connectTimeout) = (deadline, deadline)
        let begun = words.indices.contains(index) ? words[index] : ""
        let operands = Self.operands(words.prefix(max(0, index)))
        do throws(StoreClientError) {
            let client = try await StoreClient.connect(
                to: Self.socket(words) ?? defaults?.socket, configuration: configuration)
            let names = try await names(client, operands, begun)
            await client.close()
            return names
        } catch {
            return []
        }
    }

    private func names(
        _ client: StoreClient, _ operands: [String], _ begun: String = ""
    ) async throws(StoreClientError) -> [String] {
        switch self {
        case .backups:
            return try await client.backups().map(\.name)
        case .contacts:
            return try await client.contactPage(limit: Self.rowsMax).contacts.map(\.sessionID)
        case .conversations:
            return try await client.conversationPage(limit: Self.rowsMax).conversations.map(\.sessionID)
        case .files:
            return try await Self.paths(begun, client)
        case .histories:
            return try await client.status().historyID.map { [$0.description] } ?? []
        case .keySlots:
            return try await client.keySlots().map { String($0.number) }
        case .logs:
            return try await client.logPage(limit: Self.rowsMax).logs.map(\.name)
        case .messages, .messagesAndStatuses:
            // The newest message of each conversation.
            return try await client.conversationPage(limit: Self.rowsMax).conversations.compactMap(\.lastMessage?.id)
        case .people:
            let contacts = try await Self.contacts.names(client, operands)
            let known = Set(contacts)
            return contacts + (try await Self.conversations.names(client, operands)).filter { !known.contains($0) }
        case .replicaDevices:
            return try await client.replicaStatus().devices.filter { $0.removedThrough == nil }.map(\.name)
        case .sceneKeys:
            return try await Self.keys(of: operands.first, client)
        case .sceneKeysAndValues:
            return operands.count.isMultiple(of: 2) ? [] : try await Self.keys(of: operands.first, client)
        case .scenes:
            return try await client.scenePage(limit: Self.rowsMax).scenes.map(\.scene)
        }
    }

    private static func keys(of scene: String?, _ client: StoreClient) async throws(StoreClientError) -> [String] {
        guard let scene, !scene.isEmpty else { return [] }
        return try await client.sceneEntryPage(scene, keysOnly: true, limit: rowsMax).entries.map(\.key)
    }

    /// Returns the entries of the directory up to the last slash of the word, or the areas if the word has no slash.
    private static func paths(_ begun: String, _ client: StoreClient) async throws(StoreClientError) -> [String] {
        guard let slash = begun.utf8.lastIndex(of: UInt8(ascii: "/")),
            let directory = VaultPath(String(begun[..<slash]))
        else { return VaultArea.allCases.map { $0.rawValue + "/" } }
        return try await client.vaultItemPage(in: directory, limit: rowsMax).items.map { item in
            directory.appending(item.name).description + (item.kind == .directory ? "/" : "")
        }
    }

    private static func operands(_ words: some Sequence<String>) -> [String] {
        var walk = CommandLineWalk()
        for word in words.dropFirst() {
            _ = walk.step(word)
        }
        return walk.operands
    }

    /// Returns true if a shell can insert the name without changing or executing any part of it. The check is necessary
    /// because every caller with a right to write to the store can choose names. bash expands every offered word
    /// (`compgen -W`), zsh ends a word at a colon, and this program treats a word with a leading hyphen as an option. A
    /// person then presses Return on the inserted word.
    private static func isPlainWord(_ name: String) -> Bool {
        // Checked by Unicode scalar, because one character may combine a letter with an ASCII sign and would count as a
        // letter.
        !name.isEmpty && !name.hasPrefix("-")
            && name.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII ? plainSigns.contains(scalar) : scalar.properties.isAlphabetic
            }
    }

    private static let plainSigns = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._@/+-".unicodeScalars)

    /// Returns the value of `--socket` on the line; `nil` if the line does not contain the option.
    private static func socket(_ words: [String]) -> String? {
        if let index = words.lastIndex(of: "--socket"), words.indices.contains(index + 1) {
            return words[index + 1]
        }
        return words.last { $0.hasPrefix("--socket=") }.map { String($0.dropFirst("--socket=".count)) }
    }
}

extension CompletionKind {
    /// Returns a completion with names that the running daemon knows.
    static func live(_ names: LiveNames) -> CompletionKind {
        .custom { words, index, _ in await names.find(words, index) }
    }
}
