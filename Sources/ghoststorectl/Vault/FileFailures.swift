import StoreClient

/// Files and directories of a tree that were skipped because their transfer failed, while the others were transferred.
/// Each failure is reported when it happens.
struct FileFailures {
    /// Errors of the daemon that concern only one file or directory, so that the transfer continues with the next one.
    private static let reasons: [StoreClientError.Reason] = [
        .alreadyExists, .fileNotFound, .directoryNotFound, .parentDirectoryNotFound, .fileChanged, .fileDamaged,
        .invalidArgument,
    ]
    private static let statuses: [ExitStatus] = [.noInput, .badData, .cannotCreate]

    private let statuses: [ExitStatus]
    /// The number of skipped files and directories. A directory with its contents counts once.
    private(set) var count = 0
    /// The number of skipped files that are damaged in the vault.
    private(set) var damagedCount = 0
    private var firstStatus: ExitStatus?

    /// - Parameter readsHost: True if files of this machine are read. Then the transfer also continues after an
    ///   unreadable file.
    init(readsHost: Bool) {
        statuses = Self.statuses + (readsHost ? [.inputOutput] : [])
    }

    /// Counts and reports a failure.
    ///
    /// - Parameter place: The path of the file or directory in the vault.
    /// - Throws: The error, if it is not about this file or directory alone, because the next one would then fail in
    ///   the same way.
    mutating func reportFailure(_ error: any Error, of place: VaultPath) throws {
        switch error {
        case let error as StoreClientError where Self.reasons.contains(error.reason):
            let failure = FailureMapping.failure(of: error)
            countFailure(failure.status)
            if error.reason == .fileDamaged {
                damagedCount += 1
                Diagnostics.warn("\(place) is damaged and was left out")
            } else {
                Diagnostics.warn("left out: \(place): \(failure.cause)")
            }
        case let failure as CommandFailure where statuses.contains(failure.status):
            countFailure(failure.status)
            Diagnostics.warn("left out: \(failure.cause)")
        default: throw error
        }
    }

    private mutating func countFailure(_ status: ExitStatus) {
        count += 1
        firstStatus = firstStatus ?? status
    }

    /// The end of the sentence about what was done.
    var sentence: String {
        count == 0 ? "" : "; \(count) could not be copied"
    }

    /// - Throws: If something was skipped. The failure has the exit status of the first skipped file or directory.
    func check() throws(CommandFailure) {
        guard let firstStatus else { return }
        let what = count == damagedCount ? "damaged file" : "file or directory"
        let hint =
            damagedCount > 0
            ? "save a damaged file again from its original, or restore it from a backup"
            : "the lines above name them; run the command again after the causes are fixed"
        let words = Quantity.count(count, what, count == damagedCount ? "damaged files" : "files or directories")
        throw CommandFailure(firstStatus, "\(words) left out; hint: \(hint)")
    }
}
