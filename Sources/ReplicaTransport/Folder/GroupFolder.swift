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
        /// A file or folder that cannot be read.
        case unreadable(String)
        /// A marker of removed messages that is false. It was removed, or not accepted from another carrier.
        case wrongMarker(String)
    }

    private struct State {
        /// For each channel: the numbers of missing messages that are followed by later messages, with the times at
        /// which they were found missing. The clock stops while the machine is suspended, because the carrier stops,
        /// too.
        var gaps: [String: [UInt64: SuspendingClock.Instant]] = [:]
        /// For each channel: the newest message with a complete file.
        var complete: [String: FolderMessageName] = [:]
        var noticed: Set<Notice> = []
    }

    /// The time for which a missing message is expected, because the carrier may deliver messages in another order.
    package static let defaultPatience = Duration.seconds(600)
    /// The time after which a missing message is reported.
    private static let noticePause = Duration.seconds(30)
    /// The most foreign files that are reported.
    private static let othersMax = 1_000
    /// The most entries for one channel in `gaps`.
    private static let gapsMax = 256

    let root: String
    let watcher: FolderWatcher
    private let queue = BlockingQueue("folder")
    private let patience: Duration
    private let report: @Sendable (Notice) -> Void
    private let state = Mutex(State())

    private init(root: String, patience: Duration, report: @escaping @Sendable (Notice) -> Void) {
        self.root = root
        self.patience = patience
        self.report = report
        watcher = FolderWatcher(root: root)
    }

    /// Opens the folder of a group. Creates the group's folder if the carrier's folder does not contain it yet.
    ///
    /// - Parameters:
    ///   - path: the carrier's folder. It must exist: an absent folder may be on a disk that is not mounted yet.
    ///   - name: the group's name, the same on all devices.
    package static func open(
        _ path: String, name: String, patience: Duration = defaultPatience,
        report: @escaping @Sendable (Notice) -> Void
    ) async throws(TransportError) -> GroupFolder {
        try await BlockingQueue("folder").run { () throws(TransportError) in
            guard FolderFiles.isFolder(path, followsLinks: true) else {
                throw TransportError(
                    .unreachable, "there is no folder \(path); hint: mount its disk, or create the folder")
            }
            try FolderFiles.makeFolder(name, in: path)
            return GroupFolder(root: "\(path)/\(name)", patience: patience, report: report)
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
        if listing.names.isEmpty, !FolderFiles.isFolder(root, followsLinks: true) {
            throw TransportError(.streamMissing, "the folder \(root) does not exist any more")
        }
        listing.others.forEach { notice(.otherFile("\(channel)/\($0)")) }
        return listing
    }

    /// Returns the time for which a missing message is still expected although later ones are here; `nil` if it counts
    /// as lost.
    func patienceLeft(for sequence: UInt64, of channel: String) -> Duration? {
        let now = SuspendingClock.now
        let since = state.withLock { state in
            var gaps = state.gaps[channel] ?? [:]
            let since = gaps[sequence] ?? now
            gaps[sequence] = since
            if gaps.count > Self.gapsMax, let oldest = gaps.min(by: { $0.value < $1.value }) { gaps[oldest.key] = nil }
            state.gaps[channel] = gaps
            return since
        }
        if now - since < patience {
            // Do not report a gap at once: most gaps end soon, because a carrier transfers several files at the same
            // time.
            if now - since > Self.noticePause { notice(.missingMessage(channel: channel, sequence: sequence)) }
            return patience - (now - since)
        }
        notice(.lostMessage(channel: channel, sequence: sequence))
        return nil
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
            if case .otherFile = notice {
                guard state.noticed.count < Self.othersMax else { return false }
            }
            return state.noticed.insert(notice).inserted
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

/// The requests to the folder. They run one after the other, on a thread of their own.
extension GroupFolder {
    package func last(of channel: String) async throws(TransportError) -> StreamMessage? {
        try await queue.run { () throws(TransportError) in
            while let name = try self.newest(of: channel) {
                if let message = try self.read(name, of: channel) { return message }
                // The file was damaged or removed since it was found complete.
                self.state.withLock { $0.complete[channel] = nil }
            }
            return nil
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
            // A foreign file with a higher number may be there.
            let top = max(newest ?? name, name)
            self.state.withLock { $0.complete[channel] = top }
            return .stored(streamSequence: top.place)
        }
    }

    package func follow(_ channel: String, from start: FollowerStart) -> FolderFollower {
        FolderFollower(self, channel, from: start)
    }

    /// Removes the messages of this device's channel up to a number, because all members have merged them.
    ///
    /// - Parameter last: the number of the last message that the device has written. A marker with this number or a
    ///   higher one is wrong.
    package func removeConfirmed(
        through sequence: UInt64, of channel: String, last: UInt64
    ) async throws(TransportError) {
        try await queue.run { () throws(TransportError) in
            let folder = self.folder(of: channel)
            var listing = try folder.listing()
            let wrong = listing.floors.filter { $0 >= max(1, last) }
            folder.removeFloors(wrong)
            for floor in wrong { self.notice(.wrongMarker("\(channel)/\(ChannelFolder.floorName(floor))")) }
            listing.floors.removeAll { wrong.contains($0) }
            try folder.remove(listing, through: sequence, last: last)
        }
    }

    /// Removes the messages of joins and snapshots that have not changed for `age`, and leaves a marker, so that
    /// carriers do not copy the messages back. Removes the folder of a join or snapshot that has not changed for three
    /// times `age`.
    ///
    /// - Parameter kept: the channels that this device still uses.
    package func removeChannels(
        unchangedFor age: Duration, except kept: Set<String>
    ) async throws(TransportError) {
        try await queue.run { () throws(TransportError) in
            let seconds = time_t(age.components.seconds)
            let now = time(nil)
            for channel in try FolderFiles.names(in: self.root).folders where !channel.hasPrefix(".") {
                let folder = self.folder(of: channel)
                try FolderFiles.removePartial(in: folder.path, olderThan: now - Self.partialSeconds)
                guard channel.hasPrefix("join.") || channel.hasPrefix("snapshot."), !kept.contains(channel),
                    let changedAt = FolderFiles.changedAt(folder.path), changedAt < now - seconds
                else { continue }
                let listing = try folder.listing()
                if listing.floor < FolderNumber.max {
                    try folder.addFloor(FolderNumber.max, to: listing)
                    folder.removeFiles(of: listing, through: FolderNumber.max)
                } else if changedAt < now - 3 * seconds {
                    folder.removeFiles(of: listing, through: FolderNumber.max)
                    folder.removeFloors(listing.floors)
                    rmdir(folder.path)
                }
            }
        }
    }

    private static let partialSeconds: time_t = 86_400
}
