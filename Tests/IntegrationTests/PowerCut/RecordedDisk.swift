import StoreBasics

/// A disk under a folder to which everything that was recorded is done, up to a moment. What a file or a folder was not
/// synced for is not durable: fsync(2) of a file says nothing of its name.
final class RecordedDisk {
    /// A name that came, went or changed, all of it or nothing.
    private struct NameChange {
        /// `nil`: it went.
        var names: [(path: String, node: DiskNode?)]
        let end: Int
    }

    /// What a system call met that this disk does not know.
    struct Unknown: Error {
        let event: WriteRecord.Event
    }

    private let folder: String
    private let record: WriteRecord
    /// As programs see it, folders too.
    private var names: [String: DiskNode] = [:]
    private var durableNames: [String: DiskNode] = [:]
    private var pendingNames: [NameChange] = []
    private var folders: Set<ObjectIdentifier> = []
    private var descriptors: [Int32: (node: DiskNode, path: String)] = [:]
    private var done = 0
    private let keepsSyncs: Bool

    /// - Parameters:
    ///   - image: what was in the folder, durably, when recording began.
    ///   - keepsSyncs: false: nothing becomes durable by a sync.
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

    /// Does what was recorded, as far as the record goes to a position.
    func run(to position: Int) throws {
        while done < record.entries.count, record.entries[done].end <= position {
            try make(record.entries[done])
            done += 1
        }
    }

    // MARK: What is done to it

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

    // MARK: The power fails

    /// What is there when power comes back: what is durable, and of the rest anything.
    func afterPowerCut(_ random: inout SplitMix) -> DiskImage {
        let luck: DiskNode.Luck = [.nothing, .some, .some, .some, .everything].randomElement(using: &random) ?? .some
        var left = durableNames
        // A journal of the file system keeps the order of names, others do not.
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
        // A folder's path is before those of what is in it.
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
