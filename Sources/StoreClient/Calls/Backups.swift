import StoreProtocol

extension StoreClient {
    /// Bytes of the largest chunk of `readBackup` and `writeBackup`.
    public static let backupChunkBytesMax = FrameLimits.backupChunkBytesMax
}
