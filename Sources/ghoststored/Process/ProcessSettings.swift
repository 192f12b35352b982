import CLinuxShims
import Glibc
import Logging

/// What the whole process is set to before it holds anything secret and before it has a second thread.
enum ProcessSettings {
    /// Descriptors wanted for all connections of the largest configuration, the store and the libraries.
    private static let descriptorsMax: rlim_t = 1 << 17
    /// Arenas of the allocator: each thread beyond them shares one. Of two, the writer and an event loop shared one and
    /// waited for each other; more cost memory.
    private static let allocatorArenasMax: Int32 = 4
    /// Free bytes at the end of the heap above which they go back to the system at once.
    private static let trimThresholdBytes: Int32 = 8 << 20
    /// Blocks of at least these bytes are mapped on their own and go back to the system when freed. Pieces of files are
    /// smaller: the kernel would make each of their pages anew, which took as long as all else that is done to them.
    private static let mapThresholdBytes: Int32 = 2 << 20

    /// - Throws: `DaemonError` when secrets could not be kept out of core dumps and debuggers.
    static func apply() throws(DaemonError) {
        ghost_limit_allocator(allocatorArenasMax, trimThresholdBytes, mapThresholdBytes)
        try refuseDumps()
        umask(0o077)
        signal(SIGPIPE, SIG_IGN)
        // Meant for the running daemon; until it handles them they must not end it.
        signal(SIGHUP, SIG_IGN)
        signal(SIGUSR1, SIG_IGN)
        raiseDescriptorLimit()
    }

    /// Gives back the code that only the start needed: more than half of what an idle daemon would hold.
    static func releaseStartPages() {
        _ = ghost_release_code_pages()
        releaseFreedPages()
    }

    /// Gives back pages of the heap that hold nothing.
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

    /// Descriptors of one process beside those of connections: the store's files, the sockets, event loops and pipes.
    private static let ownDescriptorsMax: rlim_t = 128

    /// Says so where connections will wait for descriptors before there are as many as the configuration allows.
    static func warnOfDescriptorLimit(connectionsMax: Int, _ logger: Logger) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur < rlim_t(connectionsMax) + ownDescriptorsMax
        else { return }
        logger.warning(
            "the limit of open files is too low for limits.connections_max: raise LimitNOFILE= (ulimit -n)",
            metadata: ["open_files_max": "\(limit.rlim_cur)", "connections_max": "\(connectionsMax)"])
    }

    /// Raises the soft limit to the hard one, within reason.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        let wanted = min(limit.rlim_max, descriptorsMax)
        guard wanted > limit.rlim_cur else { return }
        limit.rlim_cur = wanted
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
