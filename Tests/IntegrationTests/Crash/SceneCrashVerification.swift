import StoreClient
import StoreProtocol
import Testing

/// Compares the responses that the only writer of a scene received with the scene after a crash.
struct SceneCrashVerification: Sendable {
    let scene: String
    /// The counter of the newest applied request, or 0 before the first.
    private(set) var counter = 0

    init(scene: String) {
        self.scene = scene
    }

    /// Expects that every key has the same counter: the last acknowledged counter, or a later one. Then sends
    /// the unacknowledged requests again and expects the last counter sent.
    ///
    /// - Returns: the requests, all with their responses.
    mutating func verify(
        _ sent: [SentCall], client: StoreClient, socketPath: String
    ) async throws -> [SentCall] {
        let previous = counter
        let newest = previous + sent.count
        let found = try await foundCounter(client, among: previous + sent.answeredCount...newest)
        let repeated = try await sent.repeatingUnanswered(socketPath)
        let made = repeated.madeBeforeCrashCount
        #expect(made == found - previous, "answers and values do not agree")
        _ = try await foundCounter(client, among: newest...newest)
        counter = newest
        return repeated
    }

    /// Expects that the changes of each request have consecutive revisions, and that the last of these is the revision
    /// in the response.
    ///
    /// - Parameters:
    ///   - changes: all changes since before the first request.
    ///   - repeated: the requests, all with their responses.
    func expectChanges(_ changes: [Change], hold repeated: [SentCall]) {
        let revisions = changes.filter { $0.kind == .sceneValue && $0.scene == scene }.map(\.revision)
        let keyCount = SceneCrashWriter.keys.count
        #expect(revisions.count == repeated.count * keyCount, "\(scene): one change for each key of each request")
        guard revisions.count == repeated.count * keyCount else { return }
        for (index, call) in repeated.enumerated() {
            guard case .commit(let committed) = call.answer?.result else { continue }
            let own = Array(revisions[index * keyCount..<(index + 1) * keyCount])
            // Each change of the scene's value is followed by the change of the global value, so the scene's changes
            // are two revisions apart.
            let expected: [UInt64] = (0..<keyCount).map { key in
                committed.revision &- UInt64(2 * (keyCount - key)) &+ 1
            }
            #expect(own == expected, "\(scene): the changes of request \(index)")
        }
    }

    /// Expects that every key's global value is from the last applied request of all scenes.
    static func expectGlobalIsNewest(of scenes: [SceneCrashVerification], _ client: StoreClient) async throws {
        var newest: SceneEntry?
        for scene in scenes {
            if let last = try await scene.ownValues(client).last, last.revision > newest?.revision ?? 0 {
                newest = last
            }
        }
        let value = newest?.value
        let keys = value == nil ? [] : SceneCrashWriter.keys
        let global = try await client.globalSceneValues()
        #expect(global.map(\.key) == keys)
        let isNewest = global.allSatisfy { $0.value == value }
        #expect(isNewest, "a global value is not the one that was set last")
    }

    /// Returns the counter that all keys have, or 0 if there are no values.
    private func foundCounter(_ client: StoreClient, among counters: ClosedRange<Int>) async throws -> Int {
        let own = try await ownValues(client)
        guard let value = own.first?.value else {
            try #require(counters.contains(0), "\(scene): everything is lost")
            return 0
        }
        #expect(own.map(\.key) == SceneCrashWriter.keys, "\(scene)")
        let isWhole = own.allSatisfy { $0.value == value }
        try #require(isWhole, "\(scene): half a request was made")
        let found = counters.first { value == SceneValue.string(SceneCrashWriter.text(scene, $0)) }
        return try #require(found, "\(scene): not a value of the requests \(counters)")
    }

    /// Returns the scene's own values, ordered by the bytes of their keys, without global values that another scene
    /// set.
    private func ownValues(_ client: StoreClient) async throws -> [SceneEntry] {
        try await client.sceneValues(scene).filter { $0.tier == .scene }
    }
}
