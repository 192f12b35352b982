import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Some daemons with their agents on one server, and one conversation that all of them share.
struct SmallGroup {
    static let party = ConversationReference.sessionID("05family")

    let cluster: NatsCluster
    let devices: [GroupDevice]

    /// - Parameter count: the number of devices. The first creates the group, and each invites the next one.
    static func with(devices count: Int, _ body: (SmallGroup) async throws -> Void) async throws {
        let cluster = try await NatsCluster.start(nodes: 1)
        var devices: [GroupDevice] = []
        for name in ["one", "two", "three"].prefix(count) {
            devices.append(try await GroupDevice(name, servers: cluster.urls, stream: "family"))
        }
        for device in devices {
            try device.startAgent()
        }
        let group = SmallGroup(cluster: cluster, devices: devices)
        try await group.save(0, "before")
        try await devices[0].client.createReplicaGroup(
            deviceName: devices[0].name, selection: ["conversations", "contacts"])
        for (inviter, device) in zip(devices, devices.dropFirst()) {
            try await inviter.letIn(device)
        }
        try await body(group)
        for device in devices {
            try await device.stop()
        }
        for node in cluster.nodes {
            try await node.kill9()
        }
    }

    func client(_ device: Int) -> StoreClient { devices[device].client }

    func save(_ device: Int, _ id: String) async throws {
        try await client(device).saveMessage(NewMessage(id: id, conversation: Self.party, text: "text of \(id)"))
    }

    /// Returns the ids of all messages that a device has, sorted.
    func held(_ device: Int) async throws -> [String] {
        var ids: [String] = []
        for try await message in client(device).messages(in: Self.party) {
            #expect(message.text == "text of \(message.id)")
            ids.append(message.id)
        }
        return ids.sorted()
    }

    func expectAll(_ ids: [String], on chosen: Range<Int>? = nil) async throws {
        let expected = ids.sorted()
        do {
            try await eventually("all stores hold the same", within: .seconds(90)) {
                for device in chosen ?? devices.indices {
                    guard try await held(device) == expected else { return false }
                }
                return true
            }
        } catch {
            var found = "\(error)"
            for (index, device) in devices.enumerated() {
                let status = try await device.client.replicaStatus()
                let held = try await held(index)
                found += "\n\(device.name): \(held)\n\(status)\n\(device.agentLog.suffix(1_500))"
            }
            throw TestSupportError(found)
        }
    }
}
