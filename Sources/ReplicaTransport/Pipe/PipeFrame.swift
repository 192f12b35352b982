import StoreBasics

/// A frame of the connection between two carriers: its length (4 bytes, big-endian), a kind (1 byte) and its content.
/// `proto-docs/REPLICATION.md` defines the bytes.
enum PipeFrame: Hashable, Sendable {
    /// The first frame: the version of the sender, and the name of the group's folder.
    case hello(version: UInt8, name: String)
    /// Files that the sender has completely.
    case known([FolderFile])
    /// The sender has sent the names of all its files.
    case allKnown
    case file(FolderFile, [UInt8])
    /// A kind of a later version, which is ignored.
    case other

    static let version: UInt8 = 1
    static let lengthBytes = 4
    /// The longest frame without its length.
    static let bytesMax = ChannelFolder.bytesMax + 1_024
    /// The most names of files in one frame.
    static let filesMax = 1_024
    private static let magic = Array("GSPIPE".utf8)

    func encoded() -> [UInt8] {
        var content: [UInt8] = []
        switch self {
        case .hello(let version, let name): content = [1] + Self.magic + [version] + Array(name.utf8)
        case .known(let files): content = [2] + Array(files.map(\.text).joined(separator: "\n").utf8)
        case .allKnown: content = [3]
        case .file(let file, let bytes): content = [4] + Array(file.text.utf8) + [0] + bytes
        case .other: break
        }
        var frame: [UInt8] = []
        frame.append(bigEndian: UInt32(content.count))
        return frame + content
    }

    /// Parses a frame without its length.
    ///
    /// - Returns: `nil` if no version of the program writes such a frame.
    init?(_ content: [UInt8]) {
        let rest = content.dropFirst()
        switch content.first {
        case nil: return nil
        case 1:
            guard rest.starts(with: Self.magic), let version = rest.dropFirst(Self.magic.count).first,
                let name = String(validating: rest.dropFirst(Self.magic.count + 1), as: UTF8.self)
            else { return nil }
            self = .hello(version: version, name: name)
        case 2:
            guard let text = String(validating: rest, as: UTF8.self) else { return nil }
            // Skip names that only a later version of the program uses.
            self = .known(text.split(separator: "\n").compactMap { FolderFile(text: $0) })
        case 3: self = .allKnown
        case 4:
            guard let end = rest.firstIndex(of: 0), let text = String(validating: rest[..<end], as: UTF8.self)
            else { return nil }
            self = FolderFile(text: text).map { .file($0, Array(rest[(end + 1)...])) } ?? .other
        default: self = .other
        }
    }
}
