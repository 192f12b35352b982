import ReplicaModel
import StoreBasics

extension FileArea {
    /// What it holds is told to the group: not what can be made again, nor what is to stay on its device.
    var isReplicated: Bool {
        switch self {
        case .document, .library: true
        case .cache, .temporary, .notSyncedLibrary: false
        }
    }
}

extension FilePath {
    /// - Throws: `.invalidArgument` for what no store can have.
    init(_ name: ThingName) throws(StoreError) {
        try self.init(replicaParts: name.parts)
        guard !isRoot else { throw Self.impossible }
    }

    /// Also of a root.
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

    /// Of what is not the root.
    var thingName: ThingName { ThingName(.file, parts: namesFromTop.map(\.text)) }

    /// With which the names of all begin that lie below.
    var thingNameBytes: [UInt8] { ThingName.bytes(of: namesFromTop.map(\.text)) }

    /// Where a file stays that had to make room for another device's: beside that, by who changed it and when.
    ///
    /// - Parameter stamp: of its last change.
    /// - Returns: places to be taken the first of that is free, the same on every device.
    func besides(_ stamp: ReplicaStamp) -> [FilePath] {
        (1...9).map { beside(stamp, $0 == 1 ? "" : " \($0)") }
    }

    /// Where it stays when all those are taken: by a number that nobody else has, so on every device at another place.
    func beside(_ stamp: ReplicaStamp, _ number: UInt64) -> FilePath {
        beside(stamp, " \(ReplicaDevice.text(number))")
    }

    /// In the directory of the path, or where it would be too long there, in the next one above that.
    private func beside(_ stamp: ReplicaStamp, _ ending: String) -> FilePath {
        let milliseconds = Int64(clamping: HybridClock.milliseconds(of: stamp.time))
        let time = CalendarTime(secondsSinceEpoch: milliseconds / 1_000).text(separator: " ")
        // No device with a number changed what existed before its store had a group.
        let device = stamp.device == 0 ? "" : ReplicaDevice.text(stamp.device) + " "
        let mark = "conflict " + device + String(time.map { $0 == ":" ? "." : $0 }) + ending
        let name = lastName.marked("(\(mark))")
        let places = ancestors.reversed().lazy.map { $0.appending(name) }
        return places.first(where: \.canBeNamed) ?? .root(of: area).appending(name)
    }
}

extension FileName {
    /// With a mark before its extension; what is too long of the name is left out.
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
