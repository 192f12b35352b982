import StoreClient

/// Shows what is in the conversation, and what the other one does there, as it happens.
struct Follower: Sendable {
    let talk: Talk
    let transcript: Transcript

    /// Shows the last messages. The watch begins before they are read: what is saved between the two is in both, and
    /// the transcript shows it once.
    func catchUp() async throws(StoreClientError) -> ChangeStream {
        let changes = try await talk.changes()
        let history = try await talk.history()
        for message in history {
            await transcript.show(message)
        }
        try await talk.markRead(history)
        return changes
    }

    /// Goes on until the task is cancelled, through restarts of the daemon.
    func follow(_ changes: ChangeStream) async throws(StoreClientError) {
        var changes = changes
        while true {
            do throws(StoreClientError) {
                for try await change in changes {
                    try await show(change)
                }
            } catch {
                guard error.reason == .changesCompacted || error.reason == .historyChanged else { throw error }
                // There is nothing to go on from: so much has happened, or a backup took the store's place.
                await transcript.note("the store cannot tell what happened since; these are its last messages")
                changes = try await catchUp()
            }
        }
    }

    /// A change tells what happened to which message, not what the message says.
    private func show(_ change: Change) async throws(StoreClientError) {
        guard change.operation == .created || change.operation == .updated,
            let message = try await talk.message(change.id)
        else { return }
        await transcript.show(message)
        try await talk.markRead([message])
    }
}
