import StoreClient
import Testing

@testable import ghoststorectl

/// The words in which `replication status` says whether devices are in step.
@Suite struct ReplicaStepTests {
    private static let own = ReplicaDeviceID("00c0ffee00c0ffee")

    /// Returns a status with a device that is in step, after `change` has changed both.
    private func status(_ change: (inout ReplicaStatus, inout ReplicaDevice) -> Void = { _, _ in }) throws
        -> ReplicaStatus
    {
        var status = ReplicaStatus(groupID: [], state: .member, device: try #require(Self.own), deviceName: "desk")
        status.lastChangeSequence = 7
        var lap = ReplicaDevice(id: try #require(ReplicaDeviceID("00c0ffee00c0ffef")), name: "lap")
        (lap.mergedSequence, lap.knownSequence, lap.heldSequence) = (4, 4, 7)
        lap.mergedAt = .now
        change(&status, &lap)
        status.devices = [lap]
        return status
    }

    private func lag(_ status: ReplicaStatus) throws -> String? { status.lag(of: try #require(status.devices.first)) }

    @Test func `a device that has everything is in step`() throws {
        let status = try status()
        #expect(try lag(status) == nil && status.devicesOutOfStep.isEmpty)
        #expect(ReplicaRow.rows(of: status).map { $0.json.plainText(of: "is_in_step") } == ["", "true"])
    }

    @Test func `the words say on which side changes are missing`() throws {
        let lacking = try status { $1.heldSequence = 6 }
        #expect(try lag(lacking) == "lacks changes of this device" && lacking.devicesOutOfStep == ["lap"])
        #expect(try lag(status { status, _ in status.uncollectedRevisions = 1 }) == "lacks changes of this device")
        #expect(try lag(status { $1.knownSequence = 5 }) == "its changes are missing here")
        #expect(try lag(status { $1.fault = .forked }) == "its changes are missing here")
        #expect(try lag(status { $1.mergedAt = nil }) == "nothing of it is here yet")
        let both = try status { ($1.heldSequence, $1.knownSequence) = (6, 5) }
        #expect(try lag(both) == "lacks changes of this device; its changes are missing here")
        #expect(ReplicaRow.rows(of: both).map { $0.json.plainText(of: "is_in_step") } == ["", "false"])
    }

    @Test func `a removed device is neither in step nor out of step`() throws {
        let status = try status { ($1.removedThrough, $1.heldSequence) = (4, 0) }
        #expect(try lag(status) == nil && status.devicesOutOfStep.isEmpty)
        #expect(ReplicaRow.rows(of: status).map { $0.json.plainText(of: "is_in_step") } == ["", ""])
    }
}
