import Glibc
import StoreBasics
import Synchronization

/// The messages of a replica group in a folder that another program, such as Syncthing, carries between the devices. It
/// has a subfolder for each channel, in which only one device writes. The carrier is not trusted: it may deliver files
/// late, in parts, in any order, repeatedly or never.
package final class GroupFolder: Sendable {
    /// A fact about the folder for the log.
    package enum Notice: Sendable, Hashable {
        /// A file that is not a message, such as a conflict copy. It is ignored.
        case otherFile(String)
        /// A message that is missing or incomplete, although later ones are here.
        case missingMessage(channel: String, sequence: UInt64)
        /// A message that is missing or incomplete for so long that it counts as lost.
        case lostMessage(channel: String, sequence: UInt64)
        /// A file or folder that this user may not read.
        case unreadable(String)
    }

    private struct Gap {
        let sequence: UInt64
        let since: ContinuousClock.Instant
    }

    private struct State {
        /// The missing message of each channel after which later messages exist.
        var gaps: [String: Gap] = [:]
        /// The message of each channel that was last searched for.
        var wanted: [String: UInt64] = [:]
        /// The newest message of each channel whose file was found complete.
        var complete: [String: FolderMessageName] = [:]
        var noticed: Set<Notice> = []
    }

    /// The time for which the carrier may deliver the messages of a channel in another order.
    package static let defaultPatience = Duration.seconds(600)
    /// The time after which a missing message is reported.
    private static let noticePause = Duration.seconds(30)
    /// The most notices that are reported.
    private static let noticesMax = 1_000

    let root: String
    let watcher: FolderWatcher
    private let queue = BlockingQueue("folder")
    private let patience: Duration
    private let report: @Sendable (Notice) -> Void
    private let state = Mutex(State())

    private init(
        root: String, patience: Duration, report: @escaping @Sendable (Notice) -> Void
    ) throws(TransportError) {
        self.root = root
        self.patience = patience
        self.report = report
        watcher = try FolderWatcher(root: root)
    }

    /// Opens the folder of a group, and creates it in an existing folder.
    ///
    /// - Parameters:
    ///   - path: the folder that the carrier carries. It must exist: an absent folder may be on a disk that is not
    ///     mounted yet.
    ///   - name: the group's name, the same on all devices.
    package static func open(
        _ path: String, name: String, patience: Duration = defaultPatience,
        report: @escaping @Sendable (Notice) -> Void
    ) async throws(TransportError) -> GroupFolder {
        try await BlockingQueue("folder").run { () throws(TransportError) in
            guard FolderFiles.isFolder(path) else {
                throw TransportError(
                    .unreachable, "there is no folder \(path); hint: mount its disk, or create the folder")
            }
            try FolderFiles.makeFolder(name, in: path)
            return try GroupFolder(root: "\(path)/\(name)", patience: patience, report: report)
        }
    }

    func folder(of channel: String) -> ChannelFolder {
        ChannelFolder(path: "\(root)/\(channel)", channel: channel)
    }

    /// Lists the files of a channel.
    ///
    /// - Throws: `.streamMissing` if the group's folder was removed.
    func listing(of channel: String) throws(TransportError) -> ChannelFolder.Listing {
        let listing = try folder(of: channel).listing()
        if listing.names.isEmpty, !FolderFiles.isFolder(root) {
            throw TransportError(.streamMissing, "the folder \(root) does not exist any more")
        }
        listing.others.forEach { notice(.otherFile("\(channel)/\($0)")) }
        return listing
    }

    /// Returns the time for which a missing message is still expected although later ones are here; `nil` if it counts
    /// as lost.
    func patienceLeft(for sequence: UInt64, of channel: String) -> Duration? {
        let now = ContinuousClock.now
        let since = state.withLock { state in
            if let gap = state.gaps[channel], gap.sequence == sequence { return gap.since }
            state.gaps[channel] = Gap(sequence: sequence, since: now)
            return now
        }
        if now - since < patience {
            // Most gaps end within a moment, because a carrier transfers several files at the same time.
            if now - since > Self.noticePause { notice(.missingMessage(channel: channel, sequence: sequence)) }
            return patience - (now - since)
        }
        notice(.lostMessage(channel: channel, sequence: sequence))
        return nil
    }

    /// Returns the number of the message of a channel that was last searched for; `nil` if there was no search.
    func wanted(of channel: String) -> UInt64? {
        state.withLock { $0.wanted[channel] }
    }

    /// Reads a message; returns `nil` if its file is absent, incomplete or unreadable.
    func read(_ name: FolderMessageName, of channel: String) throws(TransportError) -> StreamMessage? {
        do throws(TransportError) {
            return try folder(of: channel).read(name)
        } catch {
            guard error.code == .refused else { throw error }
            notice(.unreadable("\(channel)/\(name.text)"))
            return nil
        }
    }

    /// Reports a fact once.
    func notice(_ notice: Notice) {
        let isNew = state.withLock { state in
            state.noticed.count < Self.noticesMax && state.noticed.insert(notice).inserted
        }
        if isNew { report(notice) }
    }

    /// Returns the newest complete message of a channel.
    private func newest(of channel: String) throws(TransportError) -> FolderMessageName? {
        for name in try listing(of: channel).names.reversed() {
            if state.withLock({ $0.complete[channel] == name }) { return name }
            guard try read(name, of: channel) != nil else { continue }
            state.withLock { $0.complete[channel] = name }
            return name
        }
        return nil
    }
}

/// The requests to the folder, each on a thread of its own.
extension GroupFolder {
    package func last(of channel: String) async throws(TransportError) -> StreamMessage? {
        try await queue.run { () throws(TransportError) in
            guard let name = try self.newest(of: channel) else { return nil }
            return try self.read(name, of: channel)
        }
    }

    package func first(of channel: String) async throws(TransportError) -> StreamMessage? {
        try await firstMessage(of: channel) { _ in true }
    }

    package func message(of channel: String, at place: UInt64) async throws(TransportError) -> StreamMessage? {
        try await firstMessage(of: channel) { $0.place == place }
    }

    /// Returns the message of a channel with the given number, or the first one with a higher number if the message
    /// counts as lost.
    package func find(_ sequence: UInt64, of channel: String) async throws(TransportError) -> StreamMessage? {
        state.withLock { $0.wanted[channel] = sequence }
        let found = try await firstMessage(of: channel) { $0.sequence >= sequence }
        guard let found, found.identity.sequence > sequence else { return found }
        return patienceLeft(for: sequence, of: channel) == nil ? found : nil
    }

    private func firstMessage(
        of channel: String, where isWanted: @escaping @Sendable (FolderMessageName) -> Bool
    ) async throws(TransportError) -> StreamMessage? {
        try await queue.run { () throws(TransportError) in
            for name in try self.listing(of: channel).names where isWanted(name) {
                if let message = try self.read(name, of: channel) { return message }
            }
            return nil
        }
    }

    /// Writes a message durably, if the newest message of the channel is the expected one.
    package func publish(
        _ bytes: [UInt8], _ sequence: UInt64, on channel: String, behind last: ExpectedLast
    ) async throws(TransportError) -> PublishOutcome {
        try await queue.run { () throws(TransportError) in
            let name = FolderMessageName(sequence: sequence, bytes: bytes)
            let newest = try self.newest(of: channel)
            let folder = self.folder(of: channel)
            guard newest.map({ ExpectedLast.streamSequence($0.place) }) ?? .none == last else {
                return try self.read(name, of: channel) == nil
                    ? .wrongLastSequence : .duplicate(streamSequence: name.place)
            }
            if newest == nil { try FolderFiles.makeFolder(channel, in: self.root) }
            try folder.write(bytes, name)
            self.state.withLock { $0.complete[channel] = name }
            return .stored(streamSequence: name.place)
        }
    }

    package func follow(_ channel: String, from start: FollowerStart) -> FolderFollower {
        FolderFollower(self, channel, from: start)
    }

    /// Removes the messages of a channel up to a number, because all members have merged them.
    package func removeConfirmed(through sequence: UInt64, of channel: String) async throws(TransportError) {
        try await queue.run { () throws(TransportError) in
            try self.folder(of: channel).remove(through: sequence)
        }
    }

    /// Removes the channels of joins and snapshots that nothing was written to for a time.
    ///
    /// - Parameter kept: the channels that this device still uses.
    package func removeChannels(
        unchangedFor age: Duration, except kept: Set<String>
    ) async throws(TransportError) {
        try await queue.run { () throws(TransportError) in
            let limit = time(nil) - time_t(age.components.seconds)
            for channel in try FolderFiles.names(in: self.root) where !kept.contains(channel) {
                let folder = self.folder(of: channel)
                guard channel.hasPrefix("join.") || channel.hasPrefix("snapshot."),
                    let changedAt = FolderFiles.changedAt(folder.path), changedAt < limit
                else { continue }
                for name in try folder.listing().names { try FolderFiles.remove("\(folder.path)/\(name.text)") }
                rmdir(folder.path)
            }
        }
    }
}
