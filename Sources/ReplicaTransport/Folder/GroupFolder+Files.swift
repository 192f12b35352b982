import StoreBasics

/// A file of a group's folder, as a carrier sees it: a message, or the marker of removed messages.
struct FolderFile: Hashable, Sendable {
    let channel: String
    let name: String

    /// Checks names that another program has sent; `nil` if they are not those of a file of the group.
    init?(channel: String, name: String) {
        let isChannel =
            ["device.", "join.", "snapshot."].contains { channel.hasPrefix($0) } && channel.utf8.count <= 64
            && channel.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
            }
        guard isChannel, FolderMessageName(name) != nil || ChannelFolder.floor(name) != nil else { return nil }
        self.channel = channel
        self.name = name
    }

    /// `CHANNEL/NAME`.
    var text: String { "\(channel)/\(name)" }

    init?(text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        self.init(channel: String(parts[0]), name: String(parts[1]))
    }

    /// The number of removed messages if the file is their marker.
    var floor: UInt64? { ChannelFolder.floor(name) }
    /// The name of the message if the file is one.
    var message: FolderMessageName? { FolderMessageName(name) }
}

/// The files of all channels, for a carrier. All functions wait for the disk.
extension GroupFolder {
    /// Lists the files of all channels: joins first, then the devices' messages in their order, then snapshots, so that
    /// a large snapshot delays nothing else. Skips channels that this user may not read.
    func files() throws(TransportError) -> [FolderFile] {
        var files: [FolderFile] = []
        for channel in try FolderFiles.names(in: root).sorted(by: Self.isEarlier) {
            let folder = folder(of: channel)
            guard !channel.hasPrefix("."), FolderFiles.isFolder(folder.path) else { continue }
            watcher.watch(folder)
            guard let listing = try readableListing(of: channel) else { continue }
            let names = (listing.floor > 0 ? [ChannelFolder.floorName(listing.floor)] : []) + listing.names.map(\.text)
            files += names.compactMap { FolderFile(channel: channel, name: $0) }
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
        if let name = file.message {
            guard FolderMessageName(sequence: name.sequence, bytes: bytes) == name else { return false }
            guard try read(name, of: file.channel) == nil else { return true }
            try FolderFiles.makeFolder(file.channel, in: root)
            try folder.write(bytes, name)
        } else if let floor = file.floor {
            try FolderFiles.makeFolder(file.channel, in: root)
            try folder.adoptFloor(floor)
        }
        return true
    }

    private static func isEarlier(_ left: String, _ right: String) -> Bool {
        func rank(_ channel: String) -> Int {
            channel.hasPrefix("join.") ? 0 : channel.hasPrefix("device.") ? 1 : 2
        }
        return (rank(left), left) < (rank(right), right)
    }
}
