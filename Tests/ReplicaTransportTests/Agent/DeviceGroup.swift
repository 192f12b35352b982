import GhostTestSupport
import Logging
import ReplicaTransport
import Testing

@testable import ghoststore_sync

/// Devices that follow each other. Each has an agent that is started again whenever it was killed.
final class DeviceGroup: Sendable {
    struct Device: Sendable {
        let store: FakeReplicaStore
        let killer: Killer
        let figures = AgentFigures()
    }

    static let name = "group"

    let devices: [Device]
    let settings: StreamSettings
    let violations = Violations()
    private let carriers: [Carrier]

    convenience init(_ cluster: NatsCluster, replicas: Int, seed: UInt64, odds: Int, devices count: Int = 3) {
        var transport = TransportConfiguration(servers: cluster.urls)
        transport.requestTimeout = .seconds(2)
        let settings = StreamSettings(name: Self.name, replicas: replicas)
        self.init(
            [Carrier](repeating: .servers(transport, settings, adjusts: false), count: count), settings, seed: seed,
            odds: odds)
    }

    /// Creates devices with a folder each, or with the same folder.
    convenience init(
        folders: [String], patience: Duration = GroupFolder.defaultPatience, seed: UInt64, odds: Int = .max
    ) {
        self.init(
            folders.map { .folder($0, name: Self.name, patience: patience) }, StreamSettings(name: Self.name),
            seed: seed, odds: odds)
    }

    private init(_ carriers: [Carrier], _ settings: StreamSettings, seed: UInt64, odds: Int) {
        self.carriers = carriers
        self.settings = settings
        let count = carriers.count
        let numbers = (1...count).map { UInt64($0) }
        devices = numbers.map { number in
            let killer = Killer(seed: seed &+ number, odds: odds)
            let store = FakeReplicaStore(
                device: number, following: numbers.filter { $0 != number }, step: { try await killer.step() })
            return Device(store: store, killer: killer)
        }
    }

    /// Runs the agents until the body has returned.
    func run(only: [Int]? = nil, _ body: (DeviceGroup) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in only ?? Array(devices.indices) {
                let device = devices[index]
                group.addTask { await self.keepRunning(device, self.carriers[index]) }
            }
            try await body(self)
            group.cancelAll()
        }
    }

    private func keepRunning(_ device: Device, _ carrier: Carrier) async {
        while !Task.isCancelled {
            device.killer.revive()
            let agent = agent(device, carrier)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await agent.run() }
                group.addTask {
                    while !device.killer.isKilled, (try? await Task.sleep(for: .milliseconds(5))) != nil {}
                }
                await group.next()
                group.cancelAll()
            }
        }
    }

    private func agent(_ device: Device, _ carrier: Carrier) -> Agent {
        let violations = violations
        return Agent(
            store: device.store, carrier: carrier, figures: device.figures,
            logger: Logger(label: "agent") { _ in SwiftLogNoOpLogHandler() },
            wrap: {
                WatchedStream(stream: $0, store: device.store, killer: device.killer, violations: violations)
            })
    }

    func isComplete(_ count: Int) -> Bool {
        devices.allSatisfy { device in
            device.store.storedThrough >= UInt64(count)
                && devices.allSatisfy { other in
                    other.store.device == device.store.device
                        || device.store.merged(other.store.channel).count >= count
                }
        }
    }

    func expectEverything(_ count: UInt64) {
        for device in devices {
            for other in devices where other.store.device != device.store.device {
                #expect(device.store.merged(other.store.channel) == Array(1...count))
            }
            #expect(device.store.storedThrough == count)
            #expect(device.figures.snapshot.gauges[.forkedChannels] ?? 0 == 0)
        }
        #expect(violations.all == [])
    }
}
