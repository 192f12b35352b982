/// How much other devices can have a store remember of the group itself.
enum ReplicaLimits {
    /// Other devices that were ever told of: removed ones count, for they never come back.
    static let membersMax = 127
    /// Epochs of one device. A device makes one for each removal, of which there are no more than members, and those
    /// that replace others.
    static let epochsOfMakerMax: UInt64 = 256
    /// Of its own epochs, when a device makes none any more only because another one was given to a removed device.
    static let replacingEpochsMax: UInt64 = 128
    /// Who was given which key.
    static let grantsMax: UInt64 = 65_536
    /// The newest are given to a device that joins: a snapshot has what was sealed with others.
    static let welcomeKeysMax = 1_024
    /// Told at once in a snapshot, to a device that has missed them; so far may their numbers go beyond the one that
    /// it has.
    static let snapshotKeysMax = 1_024
    /// Open at once: each is followed.
    static let invitationsMax = 16
    /// Made at once, for devices that have asked for one.
    static let snapshotsMax = 4
}
