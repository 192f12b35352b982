import StoreBasics

/// A simulated disk with one folder, on which recorded operations are replayed up to a moment. Data is durable only if
/// its file was synced, and a name only if its folder was: fsync(2) of a file does not make its name durable.
final class RecordedDisk {
    /// A name that was added, removed or changed. The change is atomic.
    private struct NameChange {
        /// The new nodes of the paths. `nil` means that the path was removed.
        var names: [(path: String, node: DiskNode?)]
        let end: Int
    }

    /// The error for a recorded operation that this disk cannot replay.
    struct Unknown: Error {
        let event: WriteRecord.Event
    }

    private let folder: String
    private let record: WriteRecord
    /// The files and folders as programs currently see them.
    private var names: [String: DiskNode] = [:]
    private var durableNames: [String: DiskNode] = [:]
    private var pendingNames: [NameChange] = []
    private var folders: Set<ObjectIdentifier> = []
    private var descriptors: [Int32: (node: DiskNode, path: String)] = [:]
    private var done = 0
    private let keepsSyncs: Bool

    /// - Parameters:
    ///   - image: the durable content of the folder when recording began.
    ///   - keepsSyncs: false for a disk that ignores syncs.
    init(_ image: DiskImage, at folder: String, _ record: WriteRecord, keepsSyncs: Bool = true) {
        self.keepsSyncs = keepsSyncs
        self.folder = folder
        self.record = record
        for path in image.folders {
            durableNames["\(folder)/\(path)"] = makeFolder()
        }
        durableNames[folder] = makeFolder()
        for (path, bytes) in image.files {
            durableNames["\(folder)/\(path)"] = DiskNode(bytes)
        }
        names = durableNames
    }

    private func makeFolder() -> DiskNode {
        let node = DiskNode()
        folders.insert(ObjectIdentifier(node))
        return node
    }

    /// Replays the recorded operations up to a position in the record.
    func run(to position: Int) throws {
        while done < record.entries.count, record.entries[done].end <= position {
            try make(record.entries[done])
            done += 1
        }
    }

    // MARK: Replaying

    private func make(_ entry: WriteRecord.Entry) throws {
        switch entry.event {
        case .opened(let number, let path, let creates, let truncates):
            try open(number, path, creates: creates, truncates: truncates, entry)
        case .closed(let number): descriptors[number] = nil
        case .written(let number, let offset, let range):
            try node(number, entry).note(.write(at: offset, range), end: entry.end)
        case .resized(let number, let size): try node(number, entry).note(.resize(size), end: entry.end)
        case .zeroed(let number, let offset, let count):
            try node(number, entry).note(.zero(offset..<(offset + count)), end: entry.end)
        case .grown(let number, let offset, let count):
            try node(number, entry).note(.grow(offset + count), end: entry.end)
        case .synced where !keepsSyncs: break
        case .synced(let number, let position): try sync(number, before: position, entry)
        case .renamed(let path, let other):
            guard let node = names[path] else { throw Unknown(event: entry.event) }
            change([(path, nil), (other, node)], entry)
        case .linked(let path, let other):
            guard let node = names[path] else { throw Unknown(event: entry.event) }
            change([(other, node)], entry)
        case .removed(let path): change([(path, nil)], entry)
        case .madeFolder(let path): change([(path, makeFolder())], entry)
        }
    }

    private func open(
        _ number: Int32, _ path: String, creates: Bool, truncates: Bool, _ entry: WriteRecord.Entry
    ) throws {
        if names[path] == nil, creates {
            change([(path, DiskNode())], entry)
        }
        guard let node = names[path] else { throw Unknown(event: entry.event) }
        if truncates {
            node.note(.resize(0), end: entry.end)
        }
        descriptors[number] = (node, path)
    }

    private func node(_ number: Int32, _ entry: WriteRecord.Entry) throws -> DiskNode {
        guard let (node, _) = descriptors[number] else { throw Unknown(event: entry.event) }
        return node
    }

    private func change(_ changed: [(path: String, node: DiskNode?)], _ entry: WriteRecord.Entry) {
        pendingNames.append(NameChange(names: changed, end: entry.end))
        Self.apply(pendingNames[pendingNames.count - 1], to: &names)
    }

    private static func apply(_ change: NameChange, to names: inout [String: DiskNode]) {
        for (path, node) in change.names {
            names[path] = node
        }
    }

    private func sync(_ number: Int32, before position: Int, _ entry: WriteRecord.Entry) throws {
        guard let (node, path) = descriptors[number] else { throw Unknown(event: entry.event) }
        guard folders.contains(ObjectIdentifier(node)) else { return node.sync(before: position, record.bytes) }
        var left: [NameChange] = []
        for change in pendingNames {
            if change.end <= position, change.names.contains(where: { Self.parent(of: $0.path) == path }) {
                Self.apply(change, to: &durableNames)
            } else {
                left.append(change)
            }
        }
        pendingNames = left
    }

    private static func parent(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    // MARK: Power failure

    /// Returns the content of the disk after a power cut: everything durable, and a random part of the rest.
    func afterPowerCut(_ random: inout SplitMix) -> DiskImage {
        let luck: DiskNode.Luck = [.nothing, .some, .some, .some, .everything].randomElement(using: &random) ?? .some
        var left = durableNames
        // A file system with a journal keeps the order in which names changed. Others do not.
        let isJournaled = Bool.random(using: &random)
        let count = isJournaled && luck == .some ? Int.random(in: 0...pendingNames.count, using: &random) : 0
        for (index, change) in pendingNames.enumerated() {
            let isLeft =
                switch luck {
                case .nothing: false
                case .some where isJournaled: index < count
                case .some: Bool.random(using: &random)
                case .everything: true
                }
            if isLeft {
                Self.apply(change, to: &left)
            }
        }
        var image = DiskImage()
        // Sorted order puts a folder before the files in it.
        for (path, node) in left.sorted(by: { $0.key < $1.key }) where path != folder {
            let name = String(path.dropFirst(folder.count + 1))
            let parent = Self.parent(of: name)
            guard parent.isEmpty || image.folders.contains(parent) else { continue }
            if folders.contains(ObjectIdentifier(node)) {
                image.folders.insert(name)
            } else {
                image.files[name] = node.survivor(luck, record.bytes, &random)
            }
        }
        return image
    }
}
