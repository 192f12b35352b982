internal import StoreProtocol

extension RequestDecoder {
    static func decodeMaintenance(
        _ kind: CallKind, _ call: UnsafeRawBufferPointer, _ secrets: RequestSecrets
    ) throws(RequestFailure) -> AdministrationCommand {
        switch kind {
        case .checkStore:
            return .check
        case .createBackup:
            return .createBackup
        case .listBackups:
            return .listBackups
        case .readBackup:
            return try readBackup(try parse(WireReadBackupRequest.self, call))
        case .beginBackupUpload:
            return .beginBackupUpload(bytes: try parse(WireBeginBackupUploadRequest.self, call).bytes)
        case .writeBackup:
            let request = try parse(WireWriteBackupRequest.self, call)
            guard request.data.count <= FrameLimits.backupChunkBytesMax else {
                throw .invalidArgument("the chunk has more than \(FrameLimits.backupChunkBytesMax) bytes")
            }
            return .writeBackup(
                name: try backupName(request.name), offset: request.offset, data: [UInt8](request.data))
        case .verifyBackup:
            let request = try parse(WireVerifyBackupRequest.self, call)
            return .verifyBackup(
                name: try backupName(request.name), try secrets.takeSecret(kind: request.secret.kind))
        case .restoreBackup:
            let request = try parse(WireRestoreBackupRequest.self, call)
            return .restoreBackup(
                name: try backupName(request.name), try secrets.takeSecret(kind: request.secret.kind),
                replaceExisting: request.replaceExisting)
        case .deleteBackup:
            return .deleteBackup(name: try backupName(try parse(WireDeleteBackupRequest.self, call).name))
        default:
            preconditionFailure("\(kind) is not a call of maintenance")
        }
    }

    private static func readBackup(_ wire: WireReadBackupRequest) throws(RequestFailure) -> AdministrationCommand {
        guard wire.length >= 1, wire.length <= FrameLimits.backupChunkBytesMax else {
            throw .invalidArgument("the length is not between 1 and \(FrameLimits.backupChunkBytesMax)")
        }
        return .readBackup(name: try backupName(wire.name), offset: wire.offset, length: Int(wire.length))
    }

    private static func backupName(_ text: String) throws(RequestFailure) -> String {
        guard !text.isEmpty, text.utf8.count <= CallLimits.backupNameBytesMax else {
            throw .invalidArgument("the backup's name is empty or longer than the daemon's names")
        }
        return text
    }
}
