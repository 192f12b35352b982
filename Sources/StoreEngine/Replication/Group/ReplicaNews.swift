import Logging
import ReplicaModel

/// A change of the group's devices that is logged after its commit. Names of devices are not logged.
enum ReplicaNews: Hashable, Sendable {
    /// The group has admitted this store.
    case joined(by: UInt64)
    /// This store has admitted the device.
    case admitted(UInt64)
    /// Another device of the group, `by`, has admitted the device.
    case admittedElsewhere(UInt64, by: UInt64)
    /// The device `by` has removed the other device from the group.
    case removed(UInt64, by: UInt64)
    /// Another device has removed this store from the group.
    case storeRemoved(by: UInt64)
    /// Batches of the device are no longer accepted.
    case refused(UInt64, ReplicaRefusal)
}

extension ReplicaNews {
    func write(to logger: Logger) {
        switch self {
        case .joined(let inviter):
            logger.notice("the store was admitted to its replica group", metadata: Self.metadata(by: inviter))
        case .admitted(let device):
            logger.notice("this store admitted a device to the replica group", metadata: Self.metadata(device))
        case .admittedElsewhere(let device, let reporter):
            logger.notice(
                "another device admitted a device to the replica group", metadata: Self.metadata(device, by: reporter))
        case .removed(let device, let reporter):
            logger.notice("a device was removed from the replica group", metadata: Self.metadata(device, by: reporter))
        case .storeRemoved(let reporter):
            logger.warning("the store was removed from its replica group", metadata: Self.metadata(by: reporter))
        case .refused(let device, let refusal):
            logger.warning(
                "batches of a device are no longer accepted",
                metadata: Self.metadata(device).merging(["reason": "\(refusal.rawValue)"]) { $1 })
        }
    }

    private static func metadata(_ device: UInt64? = nil, by reporter: UInt64? = nil) -> Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        metadata["device"] = device.map { "\(ReplicaDevice.text($0))" }
        metadata["by"] = reporter.map { "\(ReplicaDevice.text($0))" }
        return metadata
    }
}
