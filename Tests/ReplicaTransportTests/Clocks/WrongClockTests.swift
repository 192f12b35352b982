import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Daemons with wrong clocks: one clock is a day fast, another a day slow.
@Suite(.timeLimit(.minutes(5)))
struct WrongClockTests {
    private static let dayMilliseconds: UInt64 = 86_400_000

    private func device(_ name: String, daysOff: Int, _ cluster: NatsCluster) async throws -> GroupDevice {
        var options = TestDaemonOptions()
        if daysOff != 0 {
            options.environment = [
                "LD_PRELOAD": try await PreloadedLibrary.clock.path, "CLOCK_OFFSET_SECONDS": "\(daysOff * 86_400)",
            ]
        }
        return try await GroupDevice(name, servers: cluster.urls, stream: "family", options)
    }

    private func write(_ devices: [GroupDevice], _ round: Int) async throws {
        for device in devices {
            let (client, name) = (device.client, "\(device.name) \(round)")
            try await client.saveMessage(
                NewMessage(id: name, conversation: .sessionID("05party"), text: "text of \(name)"))
            try await client.saveContact(ContactUpdate(sessionID: "05known", notes: .set("notes of \(name)")))
            try await client.setSceneValues("shared", [.set("key", .string("value of \(name)"))])
            try await client.saveFile(Array("file of \(name)".utf8), at: VaultPath(.document, "file"))
            _ = try? await client.editMessage("ahead 1", text: "edited by \(name)")
        }
    }

    /// Returns how many days the clock of `device` is ahead, according to `other`.
    private func daysAhead(_ device: GroupDevice, seenBy other: GroupDevice) async throws -> Double {
        let devices = try await other.client.replicaStatus().devices
        let seen = try #require(devices.first { $0.name == device.name })
        return Double(seen.aheadMilliseconds) / Double(Self.dayMilliseconds)
    }

    @Test(.enabled(if: NatsNode.program != nil, "nats-server is not installed"))
    func `devices a day ahead and a day behind get the same content, and others report their clocks`() async throws {
        let cluster = try await NatsCluster.start(nodes: 1)
        let right = try await device("right", daysOff: 0, cluster)
        let ahead = try await device("ahead", daysOff: 1, cluster)
        let behind = try await device("behind", daysOff: -1, cluster)
        let devices = [right, ahead, behind]
        for device in devices {
            try device.startAgent()
        }
        try await right.client.createReplicaGroup(
            deviceName: right.name, selection: ["conversations", "contacts", "scenes", "files"])
        try await right.letIn(ahead)
        try await ahead.letIn(behind)
        try await write(devices, 1)
        try await GroupComparison(devices: devices).expectEqual(within: .seconds(30))
        try await write(devices.reversed(), 2)
        try await GroupComparison(devices: devices).expectEqual(within: .seconds(30))
        // The last change of a shared value wins, whatever the clock of its device shows.
        try await behind.client.setSceneValues("shared", [.set("key", .string("the last"))])
        try await GroupComparison(devices: devices).expectEqual(within: .seconds(30))
        try await expectDaysAhead(right, ahead, behind)
        try await expectAllMessages(devices)
        for device in devices {
            try await device.stop()
        }
    }

    /// Expects the stamps of changes to show which clocks are ahead. When a device changes data that only this device
    /// writes, the stamp shows the device's own clock. If a device with a fast clock has changed data before, every
    /// later change of the same data has a later stamp, on every device.
    private func expectDaysAhead(_ right: GroupDevice, _ ahead: GroupDevice, _ behind: GroupDevice) async throws {
        let devices = [right, ahead, behind]
        for device in devices {
            try await device.client.saveContact(ContactUpdate(sessionID: "05\(device.name)", notes: .set("own")))
        }
        try await GroupComparison(devices: devices).expectEqual(within: .seconds(30))
        let saved = try await ahead.client.message("ahead 1").createdAt.microseconds
        let offset = Double(saved - Timestamp.now.microseconds) / Double(Self.dayMilliseconds * 1_000)
        #expect((0.99...1.01).contains(offset), "the clock is not off")
        for (device, other, days) in [
            (ahead, right, 1.0), (behind, right, 0), (right, ahead, 0), (behind, ahead, 0), (right, behind, 1),
            (ahead, behind, 2),
        ] {
            let seen = try await daysAhead(device, seenBy: other)
            #expect(abs(seen - days) < 0.01, "\(device.name) is \(seen) days ahead of \(other.name)")
        }
    }

    private func expectAllMessages(_ devices: [GroupDevice]) async throws {
        for device in devices {
            var ids: [String] = []
            for try await message in device.client.messages(in: .sessionID("05party")) {
                ids.append(message.id)
            }
            #expect(ids.sorted() == ["ahead 1", "ahead 2", "behind 1", "behind 2", "right 1", "right 2"])
            let values = try await device.client.sceneValues("shared", keys: ["key"])
            #expect(values.map(\.value) == [.string("the last")])
        }
    }
}
