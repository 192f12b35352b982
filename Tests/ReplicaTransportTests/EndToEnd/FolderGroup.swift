import FoundationEssentials
import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Some daemons with their agents, each with a folder of its own, and one conversation that all of them share.
struct FolderGroup {
    static let name = "family"

    let devices: [GroupDevice]
    /// The folder of each device; the same one for all if they share it.
    let folders: [String]
    private let directory: TemporaryDirectory

    /// - Parameters:
    ///   - count: the number of devices. The first creates the group, and each invites the next one.
    ///   - isShared: true if all devices have the same folder.
    ///   - carry: runs beside `body` and carries the folders.
    static func with(
        devices count: Int, isShared: Bool, carrying carry: @escaping @Sendable ([String]) async throws -> Void,
        _ body: (FolderGroup) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        var (folders, devices): ([String], [GroupDevice]) = ([], [])
        for number in 0..<count {
            let folder = isShared ? "shared" : "folder\(number)"
            try FileManager.default.createDirectory(
                atPath: directory.file(folder), withIntermediateDirectories: true)
            folders.append(directory.file(folder))
            devices.append(
                try await GroupDevice(
                    "device\(number)", carrier: "folder: \(directory.file(folder))\nstream: {name: \(name)}"))
        }
        let group = FolderGroup(devices: devices, folders: folders, directory: directory)
        let carried = folders
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await carry(carried) }
            for device in devices { try device.startAgent() }
            try await devices[0].client.createReplicaGroup(
                deviceName: devices[0].name, selection: ["conversations", "contacts", "files"])
            for (inviter, device) in zip(devices, devices.dropFirst()) {
                try await inviter.letIn(device)
            }
            try await body(group)
            tasks.cancelAll()
        }
        for device in devices {
            try await device.stop()
        }
    }

    func save(_ device: Int, _ id: String) async throws {
        try await devices[device].client.saveMessage(
            NewMessage(id: id, conversation: SmallGroup.party, text: "text of \(id)"))
    }

    /// Waits until every device has exactly these messages and all changes of the others.
    func expectAll(_ ids: [String], within limit: Duration = .seconds(60)) async throws {
        let expected = ids.sorted()
        do {
            try await eventually("all stores hold the same", within: limit) {
                for device in devices {
                    let found = try await device.client.messages(in: SmallGroup.party).collect()
                    guard found.map(\.id).sorted() == expected else { return false }
                }
                return true
            }
        } catch {
            var found = "\(error)"
            for device in devices {
                let held = try await device.client.messages(in: SmallGroup.party).collect().map(\.id).sorted()
                found += "\n\(device.name): \(held)\n\(try await device.client.replicaStatus())\n\(device.agentLog)"
            }
            throw TestSupportError(found)
        }
    }
}
