import CLinuxShims
import Glibc
import Logging

/// Process-wide settings, applied before the process has any secret and before it has a second thread.
enum ProcessSettings {
    /// The wanted number of descriptors, enough for all connections of the largest configuration, the store and the
    /// libraries.
    private static let descriptorsMax: rlim_t = 1 << 17
    /// The most arenas of the allocator; further threads share one. With two arenas, the writer and an event loop had
    /// to wait for each other. More arenas use more memory.
    private static let allocatorArenasMax: Int32 = 4
    /// The amount of free memory at the end of the heap above which it is returned to the system at once.
    private static let trimThresholdBytes: Int32 = 8 << 20
    /// The size from which blocks are mapped separately and returned to the system when freed. Pieces of files are
    /// smaller, because mapping new pages for each would take as long as all their other processing.
    private static let mapThresholdBytes: Int32 = 2 << 20

    /// - Throws: `DaemonError` if secrets could not be kept out of core dumps and debuggers.
    static func apply() throws(DaemonError) {
        ghost_limit_allocator(allocatorArenasMax, trimThresholdBytes, mapThresholdBytes)
        try refuseDumps()
        umask(0o077)
        signal(SIGPIPE, SIG_IGN)
        // These signals are meant for the running daemon. They must not end the process before the daemon handles them.
        signal(SIGHUP, SIG_IGN)
        signal(SIGUSR1, SIG_IGN)
        raiseDescriptorLimit()
    }

    /// Releases the code pages that were needed only at the start. They are more than half of an idle daemon's memory.
    static func releaseStartPages() {
        _ = ghost_release_code_pages()
        releaseFreedPages()
    }

    /// Gives unused pages of the heap back to the system.
    static func releaseFreedPages() {
        ghost_release_freed_pages()
    }

    private static func refuseDumps() throws(DaemonError) {
        let failure = ghost_disable_dumping()
        guard failure == 0 else {
            throw DaemonError(.internal, "memory could not be protected from dumps (prctl error \(failure))")
        }
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0 else {
            throw DaemonError(.internal, "core dumps could not be turned off (setrlimit error \(errno))")
        }
    }

    /// The number of descriptors besides connections: the store's files, sockets, event loops and pipes.
    private static let ownDescriptorsMax: rlim_t = 128

    /// Logs a warning if connections will wait for descriptors before their configured number is reached.
    static func warnOfDescriptorLimit(connectionsMax: Int, _ logger: Logger) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur < rlim_t(connectionsMax) + ownDescriptorsMax
        else { return }
        logger.warning(
            "the limit of open files is too low for limits.connections_max: raise LimitNOFILE= (ulimit -n)",
            metadata: ["open_files_max": "\(limit.rlim_cur)", "connections_max": "\(connectionsMax)"])
    }

    /// Raises the soft limit to the hard limit, but not above `descriptorsMax`.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        let wanted = min(limit.rlim_max, descriptorsMax)
        guard wanted > limit.rlim_cur else { return }
        limit.rlim_cur = wanted
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
