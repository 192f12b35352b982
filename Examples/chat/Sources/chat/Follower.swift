import StoreClient

/// Shows the conversation, and each change that either side makes to it.
struct Follower: Sendable {
    let talk: Talk
    let transcript: Transcript

    /// Shows the last messages. The watch begins before the messages are fetched, so no message is missed. A message
    /// that is saved between the two calls comes twice, and the transcript shows it once.
    func catchUp() async throws(StoreClientError) -> ChangeStream {
        let changes = try await talk.changes()
        let history = try await talk.history()
        for message in history {
            await transcript.show(message)
        }
        try await talk.markRead(history)
        return changes
    }

    /// Shows changes until the task is cancelled. Continues after a restart of the daemon.
    func follow(_ changes: ChangeStream) async throws(StoreClientError) {
        var changes = changes
        while true {
            do throws(StoreClientError) {
                for try await change in changes {
                    try await show(change)
                }
            } catch {
                guard error.reason == .changesCompacted || error.reason == .historyChanged else { throw error }
                // The store no longer has the changes since the last one seen here: they were removed from the change
                // log, or a backup replaced the store.
                await transcript.note("some changes are no longer known; these are the last messages")
                changes = try await catchUp()
            }
        }
    }

    /// Shows the message that a change is about. A change has only the id of the message, so this fetches the message.
    private func show(_ change: Change) async throws(StoreClientError) {
        guard change.operation == .created || change.operation == .updated,
            let message = try await talk.message(change.id)
        else { return }
        await transcript.show(message)
        try await talk.markRead([message])
    }
}
