import ReplicaModel
import Testing

@testable import ghoststore_sync

@Suite struct StatusPaceTests {
    private let start = ContinuousClock.now

    private func status(_ state: ReplicaStoreStatus.State, followed: [ReplicaChannel] = []) -> ReplicaStoreStatus {
        ReplicaStoreStatus(
            device: 1, state: state, outgoing: [],
            followed: followed.map { FollowedChannel(channel: $0, next: 1) })
    }

    @Test func `a store in no group is asked rarely`() {
        var pace = StatusPace()
        #expect(pace.pause(after: status(.none), at: start) == StatusPace.usual)
    }

    @Test func `a store that is joining is asked often, however long it takes`() {
        var pace = StatusPace()
        for seconds in [0, 10, 1_000] {
            #expect(pace.pause(after: status(.joining), at: start + .seconds(seconds)) == StatusPace.quick)
        }
    }

    @Test func `after a channel appears or disappears, the store is asked often for a while`() {
        var pace = StatusPace()
        let channels = [ReplicaChannel.device(2), .device(3)]
        var now = start
        for followed in [Array(channels.prefix(1)), channels, []] {
            #expect(pace.pause(after: status(.member, followed: followed), at: now) == StatusPace.quick)
            now += StatusPace.recentTime - .milliseconds(1)
            #expect(pace.pause(after: status(.member, followed: followed), at: now) == StatusPace.quick)
            now += .milliseconds(1)
            #expect(pace.pause(after: status(.member, followed: followed), at: now) == StatusPace.usual)
        }
    }
}
