/// Limits on what other devices can make a store remember about the group itself.
enum ReplicaLimits {
    /// The most other devices in a group, including removed devices, because they never come back.
    static let membersMax = 127
    /// The most epochs of one device. A device makes at most one epoch for each member that it removes, and some epochs
    /// that replace others.
    static let epochsOfMakerMax: UInt64 = 256
    /// The number of epochs after which a device no longer replaces an epoch whose key a removed device may have. The
    /// device still makes epochs for the removals that its users request.
    static let replacingEpochsMax: UInt64 = 128
    /// The most grants: records that a device was given the key of an epoch.
    static let grantsMax: UInt64 = 65_536
    /// The most keys in a welcome, which contains the newest ones. Older keys are not necessary, because the snapshot
    /// contains the data that was sealed with them.
    static let welcomeKeysMax = 1_024
    /// The most keys that a snapshot gives to a device that lacks them. The number of an epoch in the snapshot is also
    /// at most this much greater than the number of the newest epoch whose key the device has.
    static let snapshotKeysMax = 1_024
    /// The most open invitations. The agent reads the channels of each.
    static let invitationsMax = 16
    /// The most snapshots that are made at once.
    static let snapshotsMax = 4
}
