import GhostTestSupport
import Glibc
import StoreBasics
import TestBasics
import Testing

/// Searches of servers, network and agents for keys and for texts that stores exchange.
@Suite(
    .enabled(if: NatsNode.program != nil && Recording.program != nil, "nats-server or tcpdump is not installed"),
    .timeLimit(.minutes(10)))
struct ScanTests {
    private static func word() -> String {
        String(UInt64.random(in: (1 << 60)...(.max)), radix: 16)
    }

    @Test(.enabled(if: getuid() == 0, "only root can record a network"))
    func `no written text and no key is in the stream, on the network or in an agent`() async throws {
        // Only the stores may contain the marker. The agents may also contain the devices' names. The word in the
        // stream's name and the word published in the clear must be found, which proves that the search works.
        let (marker, deviceName, control, plain) = (Self.word(), Self.word(), Self.word(), Self.word())
        var random = SplitMix(seed: LongRuns.seed)
        let group = try await FaultyGroup(
            devices: 3, inNamespaces: await NamespaceNetwork.isPossible(), seed: LongRuns.seed, deviceName: deviceName,
            marker: marker, stream: "family\(control)", isRecorded: true)
        let round = FaultRound(group: group, name: "scan, seed \(LongRuns.seed)", faults: [])
        LongRuns.say(try await round.run(&random))
        let network = try await record(of: group, endingWith: Array(plain.utf8))
        let agents = try group.devices.enumerated().map { index, device in
            device.freezeAgent()
            return try Haystack("agent \(index + 1)", processID: #require(device.agentProcessID))
        }
        let logs = Array(group.agentLogs.utf8)
        try await group.stop()
        let nodes = try group.cluster.nodes.map { try Haystack("the disk of \($0.name)", folder: $0.storePath) }
        let secrets = try group.devices.flatMap { try GroupSecret.all(of: $0) }
        for haystack in [network] + agents + nodes {
            #expect(haystack.count(of: Array(control.utf8)) > 0, "\(haystack.name) is not what was looked at")
            #expect(haystack.count(of: Array(marker.utf8)) == 0, "\(haystack.name) has something that was written")
            for secret in secrets {
                #expect(haystack.count(of: secret.bytes) == 0, "\(haystack.name) has the \(secret.name)")
            }
        }
        for haystack in [network] + nodes {
            #expect(haystack.count(of: Array(plain.utf8)) > 0, "\(haystack.name) lacks what was published plainly")
            #expect(haystack.count(of: Array(deviceName.utf8)) == 0, "\(haystack.name) has names of devices")
        }
        #expect(!logs.isEmpty && ProcessMemory.count(of: Array(marker.utf8), in: logs) == 0)
        try expectFound(secrets, in: group)
        let scanned = ([network] + agents + nodes).map { "\($0.name) \($0.byteCount >> 10) KiB" }
        LongRuns.say("scanned for \(secrets.count) keys: \(scanned.joined(separator: ", "))")
    }

    /// - Parameter last: bytes that are published in the clear. Once they appear, everything before them is recorded.
    private func record(of group: FaultyGroup, endingWith last: [UInt8]) async throws -> Haystack {
        let recording = try #require(group.recording)
        try await group.publishPlainly(last)
        try await eventually("the record has come to its end") {
            Haystack("", file: recording.path).count(of: last) > 0
        }
        try await recording.end()
        return Haystack("the network", file: recording.path)
    }

    /// Checks that the searched secrets are really keys. Each device has three keys of its own and the key of the
    /// epoch, which all devices share. The key file must also be found in the device's folder.
    private func expectFound(_ secrets: [GroupSecret], in group: FaultyGroup) throws {
        #expect(secrets.count == 12)
        #expect(Set(secrets.map(\.bytes)).count == 10, "one epoch, and keys that are all different")
        for secret in secrets {
            #expect(secret.bytes.count == 32 && Set(secret.bytes).count > 8, "the \(secret.name) is none")
        }
        for device in group.devices {
            let own = secrets.filter { $0.name == "key file of \(device.name)" }
            let folder = try Haystack("the folder of \(device.name)", folder: device.daemon.directory.path)
            #expect(own.allSatisfy { folder.count(of: $0.bytes) > 0 } && own.count == 1)
        }
    }
}
