internal import Glibc
internal import Logging
internal import StoreEngine
internal import StoreServer

/// The end after a write that may not be on disk: at once, without answering anything more. The next start reads what
/// is really there (https://wiki.postgresql.org/wiki/Fsync_Errors tells why trying again proves nothing).
enum LostDurability {
    static func end(_ error: StoreError, notifier: ServiceNotifier, logger: Logger) -> Never {
        logger.critical("storage failed: the daemon ends", metadata: ["error": "\(error.message)"])
        notifier.send(.status("ended because storage failed: \(error.message)"))
        _exit(ExitCode.storageFailed.rawValue)
    }
}
