import Glibc
import StoreBasics

/// The folder of one channel, with a file for each message and at most one marker for removed messages. All functions
/// wait for the disk.
struct ChannelFolder: Sendable {
    /// The largest file that is read. No transport carries larger messages.
    static let bytesMax = 8 << 20
    private static let floorEnding = ".floor"

    let path: String
    let channel: String

    /// What the folder contains.
    struct Listing {
        /// The messages in their order. Their files may still be incomplete.
        var names: [FolderMessageName] = []
        /// Messages up to this number were removed, because all members have merged them; 0 for none.
        var floor: UInt64 = 0
        /// Names of files that are neither messages nor markers.
        var others: [String] = []
    }

    /// Lists the folder; empty if it does not exist.
    func listing() throws(TransportError) -> Listing {
        var listing = Listing()
        for name in try FolderFiles.names(in: path) where !name.hasPrefix(".") {
            if let message = FolderMessageName(name) {
                listing.names.append(message)
            } else if let floor = Self.floor(name) {
                listing.floor = max(listing.floor, floor)
            } else {
                listing.others.append(name)
            }
        }
        listing.names.sort()
        return listing
    }

    /// Reads a message; returns `nil` if its file does not exist or is not complete.
    func read(_ name: FolderMessageName) throws(TransportError) -> StreamMessage? {
        guard let bytes = try FolderFiles.read("\(path)/\(name.text)", bytesMax: Self.bytesMax),
            bytes.count > name.tail.count, bytes.suffix(name.tail.count).elementsEqual(name.tail)
        else { return nil }
        return StreamMessage(
            streamSequence: name.place,
            identity: MessageIdentity(channel: channel, sequence: name.sequence, bytes: bytes), bytes: bytes)
    }

    /// Writes a message durably. Other programs see either no file of this name or the complete one.
    func write(_ bytes: [UInt8], _ name: FolderMessageName) throws(TransportError) {
        try FolderFiles.write(bytes, name.text, in: path)
    }

    /// Removes the messages up to a number and leaves a marker for the other devices, whose folders may still contain
    /// these messages. Keeps the newest message, which shows the device where it has to continue.
    func remove(through sequence: UInt64) throws(TransportError) {
        let listing = try listing()
        guard let newest = listing.names.last, newest.sequence > 1, sequence > listing.floor else { return }
        try adoptFloor(min(sequence, newest.sequence - 1))
    }

    /// Removes the messages that another device has marked as removed.
    func removeBelowFloor(_ listing: Listing, _ floor: UInt64) throws(TransportError) {
        for name in listing.names where name.sequence <= floor {
            try FolderFiles.remove("\(path)/\(name.text)")
        }
    }

    /// Writes the marker of removed messages that another device has written, and removes these messages.
    func adoptFloor(_ floor: UInt64) throws(TransportError) {
        let listing = try listing()
        guard floor > listing.floor else { return }
        try FolderFiles.write([], Self.floorName(floor), in: path)
        if listing.floor > 0 { try FolderFiles.remove("\(path)/\(Self.floorName(listing.floor))") }
        try removeBelowFloor(listing, floor)
    }

    static func floorName(_ floor: UInt64) -> String {
        FolderNumber.text(floor) + floorEnding
    }

    /// Returns the number of a marker; `nil` for any other name.
    static func floor(_ name: String) -> UInt64? {
        guard name.hasSuffix(floorEnding) else { return nil }
        return FolderNumber.number(name.dropLast(floorEnding.count))
    }
}
