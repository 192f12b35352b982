import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct MutationResultCodecTests {
    private func conversation(messageCount: Int, unreadCount: Int) throws -> Conversation {
        Conversation(
            id: try EntityID("c"), sessionID: try SessionID("s"), displayName: nil, hasAvatar: false, isPinned: true,
            isMuted: false, messageCount: messageCount, unreadCount: unreadCount, lastMessage: nil,
            createdAt: Timestamp(microseconds: 1), updatedAt: Timestamp(microseconds: 2),
            lastActivityAt: Timestamp(microseconds: 3))
    }

    @Test(arguments: [0, 1, 127, 128, Int.max, -1, Int.min])
    func `negative counts, which only a damaged page contains, are stored as 0`(count: Int) throws {
        let (kind, bytes) = MutationResultCodec.encode(
            .conversation(
                try conversation(messageCount: count, unreadCount: count), isNew: true, isReplayed: false))
        let kept = bytes.withUnsafeBytes { MutationResultCodec.decode(kind, $0) }
        let expected = try conversation(messageCount: max(0, count), unreadCount: max(0, count))
        #expect(kept == .conversation(expected, isNew: true, isReplayed: false))
    }

    @Test(arguments: [0, 5, -1, Int.min])
    func `counts of a commit are stored, and negative ones as 0`(count: Int) {
        var commit = Commit()
        commit.deletedCount = count
        let (kind, bytes) = MutationResultCodec.encode(.commit(commit))
        commit.deletedCount = max(0, count)
        #expect(bytes.withUnsafeBytes { MutationResultCodec.decode(kind, $0) } == .commit(commit))
    }
}
