import StoreBasics

/// A file of a group's folder, as a carrier sees it: a message, or the marker of removed messages.
struct FolderFile: Hashable, Sendable {
    private enum Kind: Hashable, Sendable {
        case message(FolderMessageName)
        case floor(UInt64)
    }

    let channel: String
    private let kind: Kind

    init(channel: String, message: FolderMessageName) {
        (self.channel, kind) = (channel, .message(message))
    }

    init(channel: String, floor: UInt64) {
        (self.channel, kind) = (channel, .floor(floor))
    }

    /// Creates the description of a file from names that another program has sent; `nil` if no file of a group can have
    /// these names.
    init?(channel: String, name: String) {
        guard Self.isChannel(channel) else { return nil }
        if let message = FolderMessageName(name) {
            self.init(channel: channel, message: message)
        } else if let floor = ChannelFolder.floor(name) {
            self.init(channel: channel, floor: floor)
        } else {
            return nil
        }
    }

    static func isChannel(_ channel: String) -> Bool {
        ["device.", "join.", "snapshot."].contains { channel.hasPrefix($0) } && channel.utf8.count <= 64
            && channel.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
            }
    }

    /// The file's path in the group's folder: `CHANNEL/NAME`.
    var text: String {
        switch kind {
        case .message(let name): "\(channel)/\(name.text)"
        case .floor(let floor): "\(channel)/\(ChannelFolder.floorName(floor))"
        }
    }

    init?(text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        self.init(channel: String(parts[0]), name: String(parts[1]))
    }

    /// If the file is a marker: the number of the last removed message. Otherwise `nil`.
    var floor: UInt64? {
        if case .floor(let floor) = kind { floor } else { nil }
    }

    /// `nil` if the file is not a message.
    var message: FolderMessageName? {
        if case .message(let name) = kind { name } else { nil }
    }
}

/// The files of all channels, for a carrier. All functions wait for the disk.
extension GroupFolder {
    /// Lists the files of all channels: joins first, then the devices' messages in their order, then snapshots, so that
    /// a large snapshot delays nothing else. Skips channels that this user may not read.
    func files() throws(TransportError) -> [FolderFile] {
        var files: [FolderFile] = []
        let channels = try FolderFiles.names(in: root).folders.filter(FolderFile.isChannel)
        for channel in channels.sorted(by: Self.isEarlier) {
            watcher.watch(folder(of: channel))
            guard let listing = try readableListing(of: channel) else { continue }
            // List the marker last, because the other end accepts a marker only after a later message.
            files += listing.names.map { FolderFile(channel: channel, message: $0) }
            if listing.floor > 0 { files.append(FolderFile(channel: channel, floor: listing.floor)) }
        }
        return files
    }

    private func readableListing(of channel: String) throws(TransportError) -> ChannelFolder.Listing? {
        do throws(TransportError) {
            return try listing(of: channel)
        } catch {
            guard error.code == .refused else { throw error }
            notice(.unreadable(channel))
            return nil
        }
    }

    /// Returns the bytes of a file; `nil` if it does not exist, is not complete, or cannot be read.
    func read(_ file: FolderFile) throws(TransportError) -> [UInt8]? {
        guard let name = file.message else { return [] }
        return try read(name, of: file.channel)?.bytes
    }

    /// Writes a file that another carrier has sent, unless it exists.
    ///
    /// - Returns: false if the bytes do not match the name. Nothing was written then.
    func write(_ bytes: [UInt8], _ file: FolderFile) throws(TransportError) -> Bool {
        let folder = folder(of: file.channel)
        guard FolderFiles.isFolder(folder.path, followsLinks: false) || FolderFiles.changedAt(folder.path) == nil else {
            // A file or a link has the name of the channel.
            notice(.otherFile(file.channel))
            return true
        }
        if let name = file.message {
            guard FolderMessageName(sequence: name.sequence, bytes: bytes) == name else { return false }
            guard try read(name, of: file.channel) == nil else { return true }
            try FolderFiles.makeFolder(file.channel, in: root)
            try folder.write(bytes, name)
        } else if let floor = file.floor {
            // The newest message of a device is never removed, so a marker that covers it is false.
            let listing = try folder.listing()
            guard !file.channel.hasPrefix("device.") || floor < listing.names.last?.sequence ?? 0 else {
                notice(.wrongMarker(file.text))
                return true
            }
            try FolderFiles.makeFolder(file.channel, in: root)
            try folder.addFloor(floor, to: listing)
        }
        return true
    }

    /// Returns false for a message whose file is not complete.
    func isComplete(_ file: FolderFile) throws(TransportError) -> Bool {
        guard let name = file.message else { return true }
        do throws(TransportError) {
            return try folder(of: file.channel).isComplete(name)
        } catch {
            guard error.code == .refused else { throw error }
            return false
        }
    }

    private static func isEarlier(_ left: String, _ right: String) -> Bool {
        func rank(_ channel: String) -> Int {
            channel.hasPrefix("join.") ? 0 : channel.hasPrefix("device.") ? 1 : 2
        }
        return (rank(left), left) < (rank(right), right)
    }
}
