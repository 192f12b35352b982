/// Chunks of a content that follow each other, in slots that follow each other, all of one write. The map of a content
/// is as few of these as it takes, in order and without a gap.
struct ChunkRun: Hashable, Sendable {
    let chunks: Range<UInt64>
    let firstSlot: UInt64
    /// Of the write.
    let generation: UInt64

    /// `nil` for no chunks, and where chunks or slots end behind all that can be.
    init?(chunks: Range<UInt64>, firstSlot: UInt64, generation: UInt64) {
        guard !chunks.isEmpty, chunks.upperBound <= Self.endMax, firstSlot <= Self.endMax - UInt64(chunks.count) else {
            return nil
        }
        self.chunks = chunks
        self.firstSlot = firstSlot
        self.generation = generation
    }

    /// Far from where counting on would overflow.
    static let endMax = UInt64(Rows.countMax)

    var slots: Range<UInt64> { firstSlot..<(firstSlot + UInt64(chunks.count)) }

    /// `nil` for a chunk of another run.
    func slot(of chunk: UInt64) -> UInt64? {
        chunks.contains(chunk) ? firstSlot + (chunk - chunks.lowerBound) : nil
    }

    /// What it has of these chunks; `nil` when that is none.
    func part(of wanted: Range<UInt64>) -> ChunkRun? {
        guard chunks.overlaps(wanted) else { return nil }
        let part = chunks.clamped(to: wanted)
        return ChunkRun(
            chunks: part, firstSlot: firstSlot + (part.lowerBound - chunks.lowerBound), generation: generation)
    }

    /// Both as one run; `nil` where the other does not go on where this one ends.
    func joined(with next: ChunkRun) -> ChunkRun? {
        guard next.chunks.lowerBound == chunks.upperBound, next.firstSlot == slots.upperBound,
            next.generation == generation
        else { return nil }
        return ChunkRun(
            chunks: chunks.lowerBound..<next.chunks.upperBound, firstSlot: firstSlot, generation: generation)
    }
}

/// What a write makes of the part of a map that it touches. Nothing that is in use is overwritten: until it is
/// committed, the content is as it was.
struct ChunkMapChange {
    /// In the place of the runs that were touched, in order.
    private(set) var runs: [ChunkRun] = []
    /// Slots whose chunks are of no use any more once this is committed.
    private(set) var freedSlots: [Range<UInt64>] = []

    /// - Parameters:
    ///   - written: what was written, in order and without a gap.
    ///   - touched: all runs that have a chunk of `written`, and any beside them, in order.
    init(writing written: [ChunkRun], over touched: [ChunkRun]) {
        guard let first = written.first, let last = written.last else {
            runs = touched
            return
        }
        replace(first.chunks.lowerBound..<last.chunks.upperBound, of: touched, with: written)
    }

    /// The content is to end before a chunk.
    ///
    /// - Parameter touched: all runs that end behind it, in order.
    init(cuttingOffFrom chunk: UInt64, _ touched: [ChunkRun]) {
        replace(chunk..<ChunkRun.endMax, of: touched, with: [])
    }

    private mutating func replace(_ range: Range<UInt64>, of touched: [ChunkRun], with written: [ChunkRun]) {
        for run in touched {
            run.part(of: 0..<range.lowerBound).map { append($0) }
        }
        written.forEach { append($0) }
        for run in touched {
            run.part(of: range.upperBound..<ChunkRun.endMax).map { append($0) }
            if let freed = run.part(of: range) {
                freedSlots.append(freed.slots)
            }
        }
    }

    private mutating func append(_ run: ChunkRun) {
        if let last = runs.last, let joined = last.joined(with: run) {
            runs[runs.count - 1] = joined
        } else {
            runs.append(run)
        }
    }
}

/// The slots of a content's file that hold nothing of use.
struct FreeSlots: Hashable, Sendable {
    /// In order, with slots in use between them.
    private(set) var ranges: [Range<UInt64>] = []
    /// Behind all slots that the file has.
    private(set) var end: UInt64

    init(end: UInt64) {
        self.end = end
    }

    /// All that is not in one of these.
    init(besides occupied: [Range<UInt64>]) {
        end = 0
        for range in occupied.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > end {
            if range.lowerBound > end {
                ranges.append(end..<range.lowerBound)
            }
            end = range.upperBound
        }
    }

    /// Slots for chunks that follow each other: the first place that has room for all, else the end of the file, so
    /// that one write is one run.
    mutating func take(_ count: UInt64) -> Range<UInt64> {
        for (index, range) in ranges.enumerated() where UInt64(range.count) >= count {
            let taken = range.lowerBound..<(range.lowerBound + count)
            if taken.upperBound == range.upperBound {
                ranges.remove(at: index)
            } else {
                ranges[index] = taken.upperBound..<range.upperBound
            }
            return taken
        }
        defer { end += count }
        return end..<(end + count)
    }

    /// - Parameter freed: in use until now.
    mutating func give(_ freed: Range<UInt64>) {
        guard !freed.isEmpty else { return }
        var index = ranges.partitioningIndex { $0.lowerBound >= freed.upperBound }
        var merged = freed
        if index < ranges.count, ranges[index].lowerBound == merged.upperBound {
            merged = merged.lowerBound..<ranges[index].upperBound
            ranges.remove(at: index)
        }
        if index > 0, ranges[index - 1].upperBound == merged.lowerBound {
            merged = ranges[index - 1].lowerBound..<merged.upperBound
            index -= 1
            ranges.remove(at: index)
        }
        guard merged.upperBound < end else {
            end = merged.lowerBound
            return
        }
        ranges.insert(merged, at: index)
    }
}

extension [Range<UInt64>] {
    /// The first place whose element and all behind it are so; they are in order of that.
    fileprivate func partitioningIndex(_ isBehind: (Element) -> Bool) -> Int {
        var (lowest, end) = (startIndex, endIndex)
        while lowest < end {
            let middle = lowest + (end - lowest) / 2
            if isBehind(self[middle]) {
                end = middle
            } else {
                lowest = middle + 1
            }
        }
        return lowest
    }
}
