import StoreCrypto

/// Contents that commits have let go of.
enum ReleasedContents: Sendable {
    case some([ContentID])
    /// Whatever no row names.
    case unknown
}

/// What is to leave the disk behind commits: files that no row names, and slots whose chunks were written anew. Nothing
/// of it is kept but the rows themselves, so that a crash at any moment loses none: a start looks at every file.
struct VaultCleaning {
    /// With more than these, all files are looked at.
    private static let releasedMax = 4_096
    /// Slots that one step overwrites.
    private static let slotsPerStep: UInt64 = 32

    /// There may be rows of such slots.
    var hasFreedSlots = false
    /// To be looked up, and erased where no row has them.
    private var candidates: [ContentID] = []
    /// The first bytes of ids whose folders are still to be listed.
    private var folders: ArraySlice<UInt8> = []

    var isNeeded: Bool { hasFreedSlots || !candidates.isEmpty || !folders.isEmpty }

    /// Every file is to be looked at.
    mutating func sweep() {
        folders = Array(UInt8.min...UInt8.max)[...]
    }

    mutating func take(_ released: ReleasedContents) {
        switch released {
        case .some(let ids) where candidates.count + ids.count <= Self.releasedMax: candidates += ids
        case .some, .unknown: sweep()
        }
    }

    /// A few milliseconds' work.
    ///
    /// - Parameters:
    ///   - isHeld: whether the file is of a write that runs.
    ///   - forget: commits that slots of a content have been overwritten.
    mutating func step(
        _ folder: VaultFolder, _ reader: StoreReader, isHeld: (ContentID) -> Bool,
        forget: (Int64, Range<UInt64>) throws(StoreError) -> Void
    ) throws(StoreError) {
        if let id = candidates.last {
            let isInUse = isHeld(id) ? true : try reader.isContentKnown(id)
            let isOver = isInUse ? true : try !folder.eraseSome(of: id)
            if isOver {
                candidates.removeLast()
            }
        } else if hasFreedSlots {
            guard let freed = try reader.freedSlots(folder) else {
                hasFreedSlots = false
                return
            }
            let slots = freed.slots.prefix(Int(Self.slotsPerStep))
            let part = freed.slots.lowerBound..<(freed.slots.lowerBound + UInt64(slots.count))
            try freed.file?.file.overwrite(part)
            try forget(freed.content, part)
        } else if let first = folders.popFirst() {
            candidates = try folder.ids(withFirst: first)
        }
    }

    /// What the last step failed at is left to the next start.
    mutating func skip() {
        if !candidates.isEmpty {
            candidates.removeLast()
        } else if hasFreedSlots {
            hasFreedSlots = false
        } else {
            folders = folders.dropFirst()
        }
    }
}

/// Slots of a content that are to be overwritten.
struct FreedSlots {
    let content: Int64
    let slots: Range<UInt64>
    /// `nil` where it is damaged.
    let file: OpenContent?
}

extension StoreReader {
    fileprivate func isContentKnown(_ id: ContentID) throws(StoreError) -> Bool {
        try read { connection throws(StoreError) in try FileContents.isKnown(id, connection) }
    }

    /// - Returns: `nil` where there are none.
    fileprivate func freedSlots(_ folder: VaultFolder) throws(StoreError) -> FreedSlots? {
        try readSnapshot { connection throws(StoreError) in
            guard let (number, slots) = try FreedSlotRows.first(connection),
                case .vault(let content) = try FileContents.place(of: number, connection)
            else { return nil }
            let id = content.header.id
            do throws(StoreError) {
                let file = try folder.open(content.header, under: content.key.key)
                return FreedSlots(content: number, slots: slots, file: OpenContent(id, content.key, file))
            } catch {
                guard error.reason == .fileDamaged else { throw error }
                return FreedSlots(content: number, slots: slots, file: nil)
            }
        }
    }
}
