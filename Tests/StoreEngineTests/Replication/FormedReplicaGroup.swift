import ReplicaModel
import StoreBasics
import Synchronization
import TestBasics

@testable import StoreEngine

/// A replica group just after its devices have joined it. Tests open copies of its files, because forming a group takes
/// far longer.
struct FormedReplicaGroup: Sendable {
    struct Device {
        /// The number of the device in the group.
        let number: UInt64
        /// The files of the device's store after its shutdown, by name below the state directory.
        let files: [String: [UInt8]]
    }

    let devices: [Device]
    /// The messages in the group's stream, by channel and sequence.
    let messages: [ReplicaChannel: [UInt64: [UInt8]]]
    private let formedAt: ContinuousClock.Instant

    /// True if tests open copies. In the long tier and in long runs each test forms its own group.
    static let isShared = TestTier.current == .short && !ReplicaSeeds.isLongRun

    /// The properties of a group that tests choose. Groups with equal properties are equal until a test changes
    /// something.
    private struct Properties: Hashable {
        let deviceCount: Int
        let selection: ReplicaSelection
        /// The clocks of each device; `nil` if all use the clocks of this machine.
        let clocks: [Clocks]?
    }

    private struct Clocks: Hashable {
        let bootID: String?
        let sinceBoot: Int64
        let wall: Timestamp
        let synchronized: Timestamp?

        init(_ clocks: SystemClocks) {
            bootID = clocks.bootID
            sinceBoot = clocks.sinceBoot()
            wall = clocks.wall()
            synchronized = clocks.synchronized()
        }
    }

    /// The age after which a group is not used any more, because tests expect times of a new group.
    private static let oldest = Duration.seconds(120)

    private static let groups = Mutex<[Properties: FormedReplicaGroup]>([:])

    /// Returns a formed group. The first test that needs it forms the group while others wait.
    static func of(
        deviceCount: Int, clocks: ReplicaFleet.Clocks?, selection: ReplicaSelection
    ) throws -> FormedReplicaGroup {
        let properties = Properties(
            deviceCount: deviceCount, selection: selection,
            clocks: clocks.map { clocks in (0..<deviceCount).map { Clocks(clocks.of($0)) } })
        return try groups.withLock { groups in
            if let group = groups[properties], ContinuousClock.now - group.formedAt < oldest { return group }
            let fleet = try ReplicaFleet(
                deviceCount: deviceCount, seed: 1, kinds: [], each: clocks, selection: selection, isFormedHere: true)
            // The devices respond to each other's changes now, so that they do not do it while a test runs.
            try fleet.devices.forEach { try $0.engine.passReplicaTime(seconds: 61) }
            try fleet.settle()
            let group = try FormedReplicaGroup(closing: fleet)
            groups[properties] = group
            return group
        }
    }

    private init(closing fleet: ReplicaFleet) throws {
        devices = try fleet.devices.map { device in
            device.engine.shutDown()
            return Device(number: device.number, files: try StoreSpecimen.files(of: device.store))
        }
        messages = fleet.log.messages
        formedAt = .now
    }
}
