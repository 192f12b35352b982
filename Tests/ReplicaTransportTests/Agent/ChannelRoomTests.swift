import ReplicaModel
import Testing

@testable import ghoststore_sync

@Suite struct ChannelRoomTests {
    private static let own = ChannelWork.outgoing(.device(1))
    private static let request = ChannelWork.followed(.joinRequest(.none))
    private static let snapshot = ChannelWork.outgoing(.snapshot(.none))
    private static let invented = (2...127).map { ChannelWork.followed(.device(UInt64($0))) }

    @Test func `own messages and join requests go before other devices, and devices before snapshots`() {
        let wanted = [Self.snapshot, .followed(.snapshot(.none))] + Self.invented + [Self.request, Self.own]
        let room = ChannelRoom(channelsMax: 144)
        let (started, waitingCount) = room.assign(wanted, running: [])
        #expect(started.prefix(2) == [Self.own, Self.request])
        #expect(started.suffix(2) == [.followed(.snapshot(.none)), Self.snapshot])
        #expect(started.count == wanted.count)
        #expect(waitingCount == 0)
    }

    @Test func `invented devices leave room for join requests and snapshots`() {
        let room = ChannelRoom(channelsMax: 40)
        let (started, waitingCount) = room.assign(Self.invented + [Self.own], running: [])
        #expect(started.first == Self.own)
        #expect(waitingCount == Self.invented.count - 30)
        // Followed devices never get the last 10 of the 40 channels. So a join request and a snapshot can start
        // although devices wait.
        let later = room.assign(Self.invented + [Self.own, Self.request, Self.snapshot], running: Set(started))
        #expect(later.started == [Self.request, Self.snapshot])
        #expect(later.waitingCount == waitingCount)
    }

    @Test func `waiting channels get exactly the room of the channels that ended`() {
        let room = ChannelRoom(channelsMax: 40)
        var running = Set(room.assign(Self.invented, running: []).started)
        running.remove(Self.invented[0])
        running.remove(Self.invented[1])
        #expect(room.assign(Array(Self.invented.dropFirst(2)), running: running).started.count == 2)
        let full = Set((1...40).map { ChannelWork.outgoing(.device(UInt64($0))) })
        #expect(room.assign([Self.request], running: full) == ([], 1))
    }
}
