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

    /// The names in the folder.
    struct Listing {
        /// The messages in their order. Their files may still be incomplete.
        var names: [FolderMessageName] = []
        /// The numbers of the markers. All messages up to the greatest of these numbers were removed, because all
        /// members have merged them.
        var floors: [UInt64] = []
        /// Names of files that are neither messages nor markers.
        var others: [String] = []

        var floor: UInt64 { floors.max() ?? 0 }
    }

    /// Lists the folder. The listing is empty if the folder does not exist.
    func listing() throws(TransportError) -> Listing {
        var listing = Listing()
        let found = try FolderFiles.names(in: path)
        listing.others = found.folders.filter { !$0.hasPrefix(".") }
        for name in found.files where !name.hasPrefix(".") {
            if let message = FolderMessageName(name) {
                listing.names.append(message)
            } else if let floor = Self.floor(name) {
                listing.floors.append(floor)
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

    /// Returns true if the file of a message is there and complete.
    func isComplete(_ name: FolderMessageName) throws(TransportError) -> Bool {
        try FolderFiles.end(of: "\(path)/\(name.text)", name.tail.count) == name.tail
    }

    /// Removes the messages up to a number and leaves a marker for the other devices, whose folders may still contain
    /// these messages. Keeps the newest message, which shows the device where it has to continue.
    ///
    /// - Parameter last: the number of the last message that the device has written. Messages with higher numbers are
    ///   not from this device.
    func remove(_ listing: Listing, through sequence: UInt64, last: UInt64) throws(TransportError) {
        guard let newest = listing.names.last(where: { $0.sequence <= last }), newest.sequence > 1 else { return }
        let floor = min(sequence, newest.sequence - 1)
        guard floor > listing.floor else { return }
        try addFloor(floor, to: listing)
        removeFiles(of: listing, through: floor)
    }

    /// Writes a marker, and removes lower ones.
    func addFloor(_ floor: UInt64, to listing: Listing) throws(TransportError) {
        if !listing.floors.contains(floor) { try FolderFiles.write([], Self.floorName(floor), in: path) }
        removeFloors(listing.floors.filter { $0 < floor })
    }

    func removeFloors(_ floors: [UInt64]) {
        for floor in floors { unlink("\(path)/\(Self.floorName(floor))") }
    }

    /// Removes the messages up to a number and all markers except the greatest. A file of the carrier's user may stay,
    /// because the carrier removes its own files.
    func removeFiles(of listing: Listing, through sequence: UInt64) {
        for name in listing.names where name.sequence <= sequence { unlink("\(path)/\(name.text)") }
        removeFloors(listing.floors.filter { $0 < listing.floor })
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
