import StoreClient

/// Writes messages as JSON Lines: conversation by conversation in the order of their session IDs, oldest message first.
/// With `includesAll`, it also writes a line for each contact, and one for each conversation before its messages.
///
/// The order depends only on the content. So if an export is imported into an empty store, the export of that store
/// gives the same file.
struct Exporter {
    /// The number of conversations whose first page is fetched in advance.
    private static let inFlightMax = 16

    struct Options: Sendable {
        var includesAll: Bool
        var withStoreTimes: Bool
    }

    let client: StoreClient
    let options: Options
    let progress: ProgressBar
    private var form: JSONForm { .line(withStoreTimes: options.withStoreTimes) }

    /// - Parameter emit: Receives a line without its newline.
    func exportEverything(_ emit: (String) throws -> Void) async throws {
        if options.includesAll {
            try await exportContacts(emit)
        }
        let index = try await ExportIndex.load(client)
        let (pages, client, includesAll) = (MessagePages(client: client), client, options.includesAll)
        var doneCount = 0
        try await OrderedPrefetch.run(index.entries, inFlightMax: Self.inFlightMax) { entry in
            try await Self.fetch(entry, pages: pages, client: client, includesAll: includesAll)
        } handOver: { entry, fetched in
            if let fetched {
                try await export(fetched, entry, pages, emit)
            }
            doneCount += 1
            progress.update(done: UInt64(doneCount), total: UInt64(index.entries.count))
        }
        progress.finish()
    }

    func export(_ reference: ConversationReference, _ emit: (String) throws -> Void) async throws {
        let entry = ExportIndex.Entry(try await client.conversation(reference))
        let pages = MessagePages(client: client)
        let fetched = try await Self.fetch(entry, pages: pages, client: client, includesAll: options.includesAll)
        if let fetched {
            try await export(fetched, entry, pages, emit)
        }
    }

    private struct Fetched: Sendable {
        /// The conversation with its avatar; `nil` if its line is not requested.
        let conversation: Conversation?
        var members: [ConversationMember] = []
        let firstPage: MessagePage
    }

    /// - Returns: `nil` if the conversation was deleted in the meantime.
    private static func fetch(
        _ entry: ExportIndex.Entry, pages: MessagePages, client: StoreClient, includesAll: Bool
    ) async throws(StoreClientError) -> Fetched? {
        guard let firstPage = try await pages.first(of: .id(entry.id)) else { return nil }
        guard includesAll else { return Fetched(conversation: nil, firstPage: firstPage) }
        do throws(StoreClientError) {
            let conversation = try await client.conversation(.id(entry.id), includeAvatar: true)
            var fetched = Fetched(conversation: conversation, firstPage: firstPage)
            for try await member in client.conversationMembers(of: .id(entry.id)) {
                fetched.members.append(member)
            }
            return fetched
        } catch {
            guard error.reason == .conversationNotFound else { throw error }
            return nil
        }
    }

    private func export(
        _ fetched: Fetched, _ entry: ExportIndex.Entry, _ pages: MessagePages, _ emit: (String) throws -> Void
    ) async throws {
        if let conversation = fetched.conversation {
            var line = conversation.json(form)
            if !fetched.members.isEmpty {
                line.add("members", fetched.members.map(\.json))
            }
            try emit(line.closed)
        }
        try await pages.forEach(from: fetched.firstPage, of: .id(entry.id)) { messages in
            for message in messages {
                try emit(message.json(form, conversationSessionID: entry.sessionID).closed)
            }
        }
    }

    private func exportContacts(_ emit: (String) throws -> Void) async throws {
        for try await contact in client.contacts() {
            let whole = contact.hasAvatar ? try await withAvatar(contact) : contact
            try emit(whole.json(form).closed)
        }
    }

    /// Returns the contact with its avatar. Avatars are fetched one by one, because a page of them could be larger than
    /// a frame.
    private func withAvatar(_ contact: Contact) async throws(StoreClientError) -> Contact {
        do throws(StoreClientError) {
            return try await client.contact(sessionID: contact.sessionID, includeAvatar: true)
        } catch {
            guard error.reason == .contactNotFound else { throw error }
            return contact
        }
    }
}
