import ReplicaModel
import StoreBasics

extension FileArea {
    /// True if files of this area are replicated. Caches and temporary files can be created again, and
    /// `notSyncedLibrary` stays on its device.
    var isReplicated: Bool {
        switch self {
        case .document, .library: true
        case .cache, .temporary, .notSyncedLibrary: false
        }
    }
}

extension FilePath {
    /// - Throws: `.invalidArgument` for a name that no store can have.
    init(_ name: ThingName) throws(StoreError) {
        try self.init(replicaParts: name.parts)
        guard !isRoot else { throw Self.impossible }
    }

    /// Creates a path from the parts of a name; one part alone is a root.
    init(replicaParts parts: [String]) throws(StoreError) {
        guard let area = parts.first.flatMap(FileArea.init(rawValue:)), area.isReplicated else { throw Self.impossible }
        try self.init(area, parts.dropFirst().joined(separator: "/"))
        guard names.count == parts.count - 1,
            zip(names, parts.dropFirst()).allSatisfy({ $0.text.hasSameBytes(as: $1) })
        else { throw Self.impossible }
    }

    private static var impossible: StoreError {
        .invalidArgument("a batch has an impossible path")
    }

    /// The name that the path has in records of the group. Requires that the path is not a root.
    var thingName: ThingName { ThingName(.file, parts: namesFromTop.map(\.text)) }

    /// The bytes with which the names of everything below this path begin.
    var thingNameBytes: [UInt8] { ThingName.bytes(of: namesFromTop.map(\.text)) }

    /// Returns names for a conflict copy: a file that another device's file replaces. They contain the device that
    /// changed the file, and the time.
    ///
    /// - Parameter stamp: The stamp of the file's last change.
    /// - Returns: Paths of which to use the first free one. They are the same on every device.
    func besides(_ stamp: ReplicaStamp) -> [FilePath] {
        (1...9).map { beside(stamp, $0 == 1 ? "" : " \($0)") }
    }

    /// Returns a name for a conflict copy if the names of `besides` are in use. The random number makes it different on
    /// every device.
    func beside(_ stamp: ReplicaStamp, _ number: UInt64) -> FilePath {
        beside(stamp, " \(ReplicaDevice.text(number))")
    }

    /// Returns a path in the same directory, or in the next higher one in which the path is not too long.
    private func beside(_ stamp: ReplicaStamp, _ ending: String) -> FilePath {
        let milliseconds = Int64(clamping: HybridClock.milliseconds(of: stamp.time))
        let time = CalendarTime(secondsSinceEpoch: milliseconds / 1_000).text(separator: " ")
        // Device 0 means that the file existed before its store joined a group.
        let device = stamp.device == 0 ? "" : ReplicaDevice.text(stamp.device) + " "
        let mark = "conflict " + device + String(time.map { $0 == ":" ? "." : $0 }) + ending
        let name = lastName.marked("(\(mark))")
        let places = ancestors.reversed().lazy.map { $0.appending(name) }
        return places.first(where: \.canBeNamed) ?? .root(of: area).appending(name)
    }
}

extension FileName {
    /// Returns the name with a mark before its extension, shortened if it is too long.
    fileprivate func marked(_ mark: String) -> FileName {
        let dot = text.lastIndex(of: ".").flatMap { $0 == text.startIndex ? nil : $0 } ?? text.endIndex
        var (stem, ending) = (text[..<dot], text[dot...])
        if ending.utf8.count > 32 {
            (stem, ending) = (text[...], "")
        }
        let room = FileName.bytesMax - mark.utf8.count - 1 - ending.utf8.count
        while stem.utf8.count > room, !stem.isEmpty {
            stem.removeLast()
        }
        return FileName(trusted: "\(stem) \(mark)\(ending)")
    }
}
