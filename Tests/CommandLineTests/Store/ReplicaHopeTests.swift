import StoreClient
import Testing

@testable import ghoststorectl

/// The texts in which `replication status` says what a store waits for.
@Suite struct ReplicaHopeTests {
    private func hope(_ state: ReplicaState, following channels: [String] = []) throws -> String? {
        let device = try #require(ReplicaDeviceID("00c0ffee00c0ffee"))
        return ReplicaStatus(
            groupID: [], state: state, device: device, deviceName: "desk",
            followed: channels.map { ReplicaPlace(channel: $0, sequence: 0) }
        ).hope
    }

    @Test func `the status of a device that lacks messages says that its data is not lost`() throws {
        let channels = ["device.00c0ffee00c0ffef", "snapshot.00112233445566778899aabbccddeeff"]
        let told = try #require(try hope(.member, following: channels))
        #expect(told.contains("are missing in the stream") && told.contains("its own data is not lost"))
        #expect(try hope(.member, following: ["device.00c0ffee00c0ffef"]) == nil)
    }

    @Test func `the status of a joining store says what the store waits for`() throws {
        #expect(try hope(.joining)?.contains("admits this store") == true)
        #expect(
            try hope(
                .receiving,
                following: [
                    """
                    snapshot.00112233445566778899aabbccddeeff
                    """
                ])?.contains("is receiving") == true
        )
        for state in [ReplicaState.removed, .changed] {
            #expect(try hope(state) == nil)
        }
    }
}
