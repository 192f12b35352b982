import StoreClient

/// Writes conversations as dialog lines, if they were imported from such lines, in the order of the original file.
struct DialogExporter {
    private static let inFlightMax = 32

    let client: StoreClient
    let progress: ProgressBar

    private struct Source: Sendable {
        let identity: DialogIdentity
        let id: String
        let topic: String
        let language: String
    }

    func run(_ emit: (String) throws -> Void) async throws {
        let sources = try await sources()
        let pages = MessagePages(client: client)
        var doneCount = 0
        try await OrderedPrefetch.run(sources, inFlightMax: Self.inFlightMax) { source in
            try await Self.turns(of: .id(source.id), pages)
        } handOver: { source, turns in
            if let turns {
                try emit(DialogLine(topic: source.topic, language: source.language, turns: turns).object.closed)
            }
            doneCount += 1
            progress.update(done: UInt64(doneCount), total: UInt64(sources.count))
        }
        progress.finish()
    }

    private func sources() async throws -> [Source] {
        var sources: [Source] = []
        for entry in try await ExportIndex.load(client).entries {
            guard let identity = DialogIdentity(sessionID: entry.sessionID) else { continue }
            guard let parts = DialogName.parts(of: entry.displayName ?? "") else {
                throw CommandFailure(
                    .badData,
                    """
                    the conversation \(entry.sessionID) was renamed, so its topic and language are unknown; \
                    hint: import the dialogs again, which restores its name
                    """)
            }
            sources.append(
                Source(identity: identity, id: entry.id, topic: parts.topic, language: parts.language))
        }
        return sources.sorted {
            ($0.identity.lineNumber, $0.identity.contentHash) < ($1.identity.lineNumber, $1.identity.contentHash)
        }
    }

    /// - Returns: `nil` if the conversation was deleted in the meantime.
    private static func turns(
        of conversation: ConversationReference, _ pages: MessagePages
    ) async throws -> [String]? {
        guard let first = try await pages.first(of: conversation) else { return nil }
        var turns: [String] = []
        try await pages.forEach(from: first, of: conversation) { messages in
            turns.append(contentsOf: messages.map(\.text))
        }
        return turns
    }
}
