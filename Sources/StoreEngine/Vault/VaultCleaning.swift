import StoreBasics
import StoreCrypto

/// Contents that commits have released, so that their vault files can be removed.
enum ReleasedContents: Sendable {
    case some([ContentID])
    /// An unknown set: every file that no row refers to.
    case unknown
}

/// The queue of data that is to be erased from the disk after commits: files that no row refers to, slots whose chunks
/// were replaced, and chunks that interrupted writes have left in existing files. The queue is only in memory. A crash
/// loses nothing, because the next start examines every file.
struct VaultCleaning {
    /// The length of the queue above which all files are examined instead.
    private static let worksMax = 4_096
    /// The number of slots that one step overwrites.
    private static let slotsPerStep: UInt64 = 32
    private enum Work {
        /// Examine the files whose ids begin with this byte.
        case folder(UInt8)
        /// Remove the file if no row refers to it. Otherwise erase its unused slots.
        case content(ContentID, firstSlot: UInt64 = 0)
        /// Overwrite the freed slots of this content, or of any content if `of` is `nil`.
        case freedSlots(of: ContentID?)
    }

    /// The time after which failed work is tried again.
    private let retryInterval: Duration
    /// The queue as a stack: the last element is done first.
    private var works: [Work] = []
    private var failed: [Work] = []
    private var retryDue: ContinuousClock.Instant?
    private var isFailureReported = false

    init(retryInterval: Duration) {
        self.retryInterval = retryInterval
    }

    var isNeeded: Bool { !works.isEmpty }

    /// The time until failed work is tried again; `nil` if nothing has failed.
    var millisecondsToRetry: Int? {
        retryDue.map { max(1, Int(($0 - ContinuousClock.now) / .milliseconds(1)) + 1) }
    }

    /// Queues the examination of every file.
    mutating func sweep() {
        works = (UInt8.min...UInt8.max).map { .folder($0) } + [.freedSlots(of: nil)]
        (failed, retryDue, isFailureReported) = ([], nil, false)
    }

    /// Queues the erasure of released contents.
    ///
    /// - Parameter maySweep: true if every file without a row may be erased.
    mutating func queueErasure(_ released: ReleasedContents, maySweep: Bool) {
        switch released {
        case .some(let ids) where works.count + ids.count <= Self.worksMax || !maySweep:
            works += ids.map { .content($0) }
        case .some, .unknown: sweep()
        }
    }

    /// Queues the cleaning of a content's file after a write to it has ended, with or without success.
    ///
    /// - Parameter sparesOthers: if true, the freed slots of other files are not overwritten.
    mutating func queueCleaning(_ id: ContentID, sparesOthers: Bool) {
        works += [.content(id), .freedSlots(of: sparesOthers ? id : nil)]
    }

    /// Queues failed work again if it is due.
    mutating func retry() {
        guard let retryDue, retryDue <= .now else { return }
        works += failed
        (failed, self.retryDue) = ([], nil)
    }

    /// Does a few milliseconds of work.
    ///
    /// - Parameters:
    ///   - isHeld: returns true if a running write uses the content's file. The file is examined when the write ends.
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
            isFailureReported = false
        }
    }

    /// Moves the work that has just failed out of the queue until the next retry, so that the rest of the queue
    /// continues.
    ///
    /// - Returns: `true` if this is the first failure since the last sweep or since all work was done.
    mutating func postpone() -> Bool {
        failed += works.popLast().map { [$0] } ?? []
        retryDue = .now + retryInterval
        defer { isFailureReported = true }
        return !isFailureReported
    }

    /// Erases slots that are neither in use nor freed, then truncates the file after its last used slot. Freed slots
    /// are erased separately.
    ///
    /// - Returns: the work that is left.
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
        // The erased slots may have been the last ones of the file, so the file is examined again and truncated if
        // possible.
        return [.freedSlots(of: id)] + (isWhole ? freed.file.map { [.content($0.id)] } ?? [] : [])
    }
}

/// Slots of a content that are to be overwritten.
struct FreedSlots {
    let content: Int64
    let slots: Range<UInt64>
    /// The content's file; `nil` if it is damaged.
    let file: OpenContent?
}

/// The unused slots of a content. They may contain chunks that were never committed.
struct UnusedSlots {
    let slots: FreeSlots
    let file: OpenContent
}

/// The state of a content whose file may contain data to be erased.
enum ContentSlots {
    /// No row has the content.
    case unknown
    /// The file is missing, has another content's header, or must not be touched.
    case unreadable
    case unused(UnusedSlots)
}

extension StoreReader {
    fileprivate func unusedSlots(of id: ContentID, _ folder: VaultFolder) throws(StoreError) -> ContentSlots {
        try readSnapshot { connection throws(StoreError) in
            guard let content = try FileContents.content(id, connection) else { return .unknown }
            // More of the content is being received, and the writer may be writing to the file.
            guard try !StagedContentRows.isThere(content.number, connection) else { return .unreadable }
            let runs = try ChunkRunRows.read(0..<content.layout.chunkCount, of: content.number, connection)
            let freed = try FreedSlotRows.read(of: content.number, connection)
            let slots = FreeSlots(besides: runs.map(\.slots) + freed)
            guard let file = try Self.file(of: content, folder) else { return .unreadable }
            return .unused(UnusedSlots(slots: slots, file: file))
        }
    }

    /// Opens the file of a content; returns `nil` if it is damaged.
    private static func file(of content: VaultContent, _ folder: VaultFolder) throws(StoreError) -> OpenContent? {
        do throws(StoreError) {
            let file = try folder.open(content.header, under: content.key.key)
            return OpenContent(content.header.id, content.key, file)
        } catch {
            guard error.reason == .fileDamaged else { throw error }
            return nil
        }
    }

    /// Returns the first freed slots; `nil` if no slots are freed.
    ///
    /// - Parameter id: the content to look for; `nil` for any content.
    fileprivate func freedSlots(of id: ContentID?, _ folder: VaultFolder) throws(StoreError) -> FreedSlots? {
        try readSnapshot { connection throws(StoreError) in
            guard let (number, slots) = try FreedSlotRows.first(of: id, connection),
                case .vault(let content) = try FileContents.place(of: number, connection)
            else { return nil }
            return FreedSlots(content: number, slots: slots, file: try Self.file(of: content, folder))
        }
    }
}
