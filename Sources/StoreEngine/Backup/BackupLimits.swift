/// Every bound of backups, in one place.
enum BackupLimits {
    /// Backups and uploads in the folder.
    static let backupsMax = 64
    /// Bytes of one piece that is read or written.
    static let chunkBytesMax = 1 << 20
    /// Bytes of a name, as the daemon makes and lists them.
    static let nameBytesMax = 128
    /// Bytes of a keyring file.
    static let keyringBytesMax = 64 << 10
    /// Bytes copied or hashed at once.
    static let bufferBytes = 1 << 20
    /// Bytes that a backup leaves free on the disk, so that the store beside it can go on.
    static let reserveBytes: UInt64 = 16 << 20
}
