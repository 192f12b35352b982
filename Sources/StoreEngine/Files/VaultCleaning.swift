import StoreBasics
import StoreCrypto

/// Contents that commits have let go of.
enum ReleasedContents: Sendable {
    case some([ContentID])
    /// Whatever no row names.
    case unknown
}

/// What is to leave the disk behind commits: files that no row names, slots whose chunks were written anew, and what
/// writes that were broken off have left in the files of others. Nothing of it is kept but the rows themselves, so that
/// a crash at any moment loses none: a start looks at every file.
struct VaultCleaning {
    /// With more than these, all files are looked at.
    private static let worksMax = 4_096
    /// Slots that one step overwrites.
    private static let slotsPerStep: UInt64 = 32
    private enum Work {
        /// The files whose ids begin with this byte are to be looked at.
        case folder(UInt8)
        /// A file goes that no row names; of another, what is in no use.
        case content(ContentID, firstSlot: UInt64 = 0)
        /// Of this content, or of any, if there are any.
        case freedSlots(of: ContentID?)
    }

    /// What failed is tried again after so long.
    private let retryInterval: Duration
    /// The last comes first.
    private var works: [Work] = []
    private var failed: [Work] = []
    private var retryDue: ContinuousClock.Instant?
    private var isFailureTold = false

    init(retryInterval: Duration) {
        self.retryInterval = retryInterval
    }

    var isNeeded: Bool { !works.isEmpty }

    /// `nil` while nothing has failed.
    var millisecondsToRetry: Int? {
        retryDue.map { max(1, Int(($0 - ContinuousClock.now) / .milliseconds(1)) + 1) }
    }

    /// Every file is to be looked at.
    mutating func sweep() {
        works = (UInt8.min...UInt8.max).map { .folder($0) } + [.freedSlots(of: nil)]
        (failed, retryDue, isFailureTold) = ([], nil, false)
    }

    /// - Parameter maySweep: whether everything that no row names is rubbish.
    mutating func take(_ released: ReleasedContents, maySweep: Bool) {
        switch released {
        case .some(let ids) where works.count + ids.count <= Self.worksMax || !maySweep:
            works += ids.map { .content($0) }
        case .some, .unknown: sweep()
        }
    }

    /// A write that went to the file of a content has ended, in whatever way.
    ///
    /// - Parameter sparesOthers: leaves what was freed in other files where it is.
    mutating func lookAfter(_ id: ContentID, sparesOthers: Bool) {
        works += [.content(id), .freedSlots(of: sparesOthers ? id : nil)]
    }

    /// What failed is due again, if its time has come.
    mutating func retry() {
        guard let retryDue, retryDue <= .now else { return }
        works += failed
        (failed, self.retryDue) = ([], nil)
    }

    /// A few milliseconds' work.
    ///
    /// - Parameters:
    ///   - isHeld: whether a write that runs goes to the file: it is looked at when that ends.
    ///   - forget: commits that slots of a content have been overwritten.
    mutating func step(
        _ folder: VaultFolder, _ reader: StoreReader, isHeld: (ContentID) -> Bool,
        forget: (Int64, Range<UInt64>) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let work = works.last else { return }
        let next: [Work] =
            switch work {
            case .folder(let first): try folder.ids(withFirst: first).map { .content($0) }
            case .content(let id, _) where isHeld(id): []
            case .content(let id, let slot):
                switch try reader.unusedSlots(of: id, folder) {
                case .unknown: try folder.eraseSome(of: id) ? [work] : []
                case .unreadable: []
                case .unused(let unused): try Self.eraseUnused(unused, of: id, from: slot)
                }
            case .freedSlots(let id): try Self.eraseFreed(id, folder, reader, forget)
            }
        works.removeLast()
        works += next
        if works.isEmpty, failed.isEmpty {
            isFailureTold = false
        }
    }

    /// The last step failed: the rest goes on, and its turn comes again.
    ///
    /// - Returns: whether it is the first to fail since all was done.
    mutating func postpone() -> Bool {
        failed += works.popLast().map { [$0] } ?? []
        retryDue = .now + retryInterval
        defer { isFailureTold = true }
        return !isFailureTold
    }

    /// Erases what lies in slots that neither chunks nor freed slots have, then what lies behind them all.
    ///
    /// - Returns: what is left to do.
    private static func eraseUnused(
        _ unused: UnusedSlots, of id: ContentID, from slot: UInt64
    ) throws(StoreError) -> [Work] {
        let file = unused.file
        if let gap = unused.slots.ranges.first(where: { $0.upperBound > slot }) {
            let next = try file.file.eraseUsed(max(gap.lowerBound, slot)..<gap.upperBound, slotsMax: slotsPerStep)
            return [.content(id, firstSlot: next)]
        }
        return try file.file.eraseSomeBehind(unused.slots.end, slotsMax: slotsPerStep)
            ? [.content(id, firstSlot: slot)] : []
    }

    private static func eraseFreed(
        _ id: ContentID?, _ folder: VaultFolder, _ reader: StoreReader,
        _ forget: (Int64, Range<UInt64>) throws(StoreError) -> Void
    ) throws(StoreError) -> [Work] {
        guard let freed = try reader.freedSlots(of: id, folder) else { return [] }
        let slots = freed.slots.prefix(Int(slotsPerStep))
        let part = freed.slots.lowerBound..<(freed.slots.lowerBound + UInt64(slots.count))
        try freed.file?.file.erase(part)
        try forget(freed.content, part)
        let isWhole = part.upperBound == freed.slots.upperBound
        // Behind the last slot in use the file can be cut.
        return [.freedSlots(of: id)] + (isWhole ? freed.file.map { [.content($0.id)] } ?? [] : [])
    }
}

/// Slots of a content that are to be overwritten.
struct FreedSlots {
    let content: Int64
    let slots: Range<UInt64>
    /// `nil` where it is damaged.
    let file: OpenContent?
}

/// Slots of a content that nothing of use is in, and some may hold what was never made a part of it.
struct UnusedSlots {
    let slots: FreeSlots
    let file: OpenContent
}

/// What there is of a content that may have something to be erased.
enum ContentSlots {
    /// No row has it.
    case unknown
    /// Its file is not there, begins as another's, or is to be left alone.
    case unreadable
    case unused(UnusedSlots)
}

extension StoreReader {
    fileprivate func unusedSlots(of id: ContentID, _ folder: VaultFolder) throws(StoreError) -> ContentSlots {
        try readSnapshot { connection throws(StoreError) in
            guard let content = try FileContents.content(id, connection) else { return .unknown }
            // More of it is on its way, and the writer may be at it.
            guard try !StagedContentRows.isThere(content.number, connection) else { return .unreadable }
            let runs = try ChunkRunRows.read(0..<content.layout.chunkCount, of: content.number, connection)
            let freed = try FreedSlotRows.read(of: content.number, connection)
            let slots = FreeSlots(besides: runs.map(\.slots) + freed)
            guard let file = try Self.file(of: content, folder) else { return .unreadable }
            return .unused(UnusedSlots(slots: slots, file: file))
        }
    }

    /// - Returns: `nil` where it is damaged.
    private static func file(of content: VaultContent, _ folder: VaultFolder) throws(StoreError) -> OpenContent? {
        do throws(StoreError) {
            let file = try folder.open(content.header, under: content.key.key)
            return OpenContent(content.header.id, content.key, file)
        } catch {
            guard error.reason == .fileDamaged else { throw error }
            return nil
        }
    }

    /// - Parameter id: `nil`: of any content.
    /// - Returns: `nil` where there are none.
    fileprivate func freedSlots(of id: ContentID?, _ folder: VaultFolder) throws(StoreError) -> FreedSlots? {
        try readSnapshot { connection throws(StoreError) in
            guard let (number, slots) = try FreedSlotRows.first(of: id, connection),
                case .vault(let content) = try FileContents.place(of: number, connection)
            else { return nil }
            return FreedSlots(content: number, slots: slots, file: try Self.file(of: content, folder))
        }
    }
}
