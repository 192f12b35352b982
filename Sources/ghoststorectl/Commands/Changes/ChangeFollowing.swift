import StoreClient

/// Prints changes as they come.
struct ChangeFollowing {
    /// The revision to start after; nil: from now on.
    let after: UInt64?
    /// How many changes to print; nil: until interrupted.
    let count: Int?

    func run(_ filter: WatchFilter, _ session: Session) async throws {
        let changes = try await session.client.watch(after: after, filter)
        if !session.output.isJSON, after == nil {
            Diagnostics.write("watching from revision \(changes.startRevision)")
        }
        var remaining = count ?? .max
        for try await change in changes {
            try session.output.say(change.sentence, json: change.json)
            remaining -= 1
            if remaining == 0 {
                return
            }
        }
    }
}
