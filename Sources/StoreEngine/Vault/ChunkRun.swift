/// Consecutive chunks of a content that one write stored in consecutive slots. The chunk map of a content is the
/// shortest list of runs, in order and without a gap.
struct ChunkRun: Hashable, Sendable {
    let chunks: Range<UInt64>
    let firstSlot: UInt64
    /// The random number of the write that stored the chunks; see `ContentTarget.generation`.
    let generation: UInt64

    /// Returns `nil` if there are no chunks, or if the chunks or the slots exceed `endMax`.
    init?(chunks: Range<UInt64>, firstSlot: UInt64, generation: UInt64) {
        guard !chunks.isEmpty, chunks.upperBound <= Self.endMax, firstSlot <= Self.endMax - UInt64(chunks.count) else {
            return nil
        }
        self.chunks = chunks
        self.firstSlot = firstSlot
        self.generation = generation
    }

    /// The largest end of chunks and slots. It is far below the numbers at which arithmetic could overflow.
    static let endMax = UInt64(Rows.countMax)

    var slots: Range<UInt64> { firstSlot..<(firstSlot + UInt64(chunks.count)) }

    /// Returns the slot of a chunk, or `nil` if the chunk is not in this run.
    func slot(of chunk: UInt64) -> UInt64? {
        chunks.contains(chunk) ? firstSlot + (chunk - chunks.lowerBound) : nil
    }

    /// Returns the part of the run within `wanted`, or `nil` if it has none of these chunks.
    func part(of wanted: Range<UInt64>) -> ChunkRun? {
        guard chunks.overlaps(wanted) else { return nil }
        let part = chunks.clamped(to: wanted)
        return ChunkRun(
            chunks: part, firstSlot: firstSlot + (part.lowerBound - chunks.lowerBound), generation: generation)
    }

    /// Returns both runs as one, or `nil` if `next` does not continue where this run ends.
    func joined(with next: ChunkRun) -> ChunkRun? {
        guard next.chunks.lowerBound == chunks.upperBound, next.firstSlot == slots.upperBound,
            next.generation == generation
        else { return nil }
        return ChunkRun(
            chunks: chunks.lowerBound..<next.chunks.upperBound, firstSlot: firstSlot, generation: generation)
    }
}

/// The change that a write makes to the runs it touches. Slots in use are never overwritten, so that the old content
/// stays readable until the change is committed.
struct ChunkMapChange {
    /// The runs that replace the touched runs, in order.
    private(set) var runs: [ChunkRun] = []
    /// Slots whose chunks are no longer used after the commit.
    private(set) var freedSlots: [Range<UInt64>] = []

    /// Replaces chunks by written ones.
    ///
    /// - Parameters:
    ///   - written: the written runs, in order and without a gap.
    ///   - touched: all runs with a chunk of `written`, optionally neighbouring runs, in order.
    init(writing written: [ChunkRun], over touched: [ChunkRun]) {
        guard let first = written.first, let last = written.last else {
            runs = touched
            return
        }
        replace(first.chunks.lowerBound..<last.chunks.upperBound, of: touched, with: written)
    }

    /// Truncates the content: removes `chunk` and all chunks after it.
    ///
    /// - Parameter touched: all runs that end after `chunk`, in order.
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

/// The unused slots of a content's file.
struct FreeSlots: Hashable, Sendable {
    /// The free ranges within the file, in order, with used slots between them.
    private(set) var ranges: [Range<UInt64>] = []
    /// The first slot after the end of the file.
    private(set) var end: UInt64

    init(end: UInt64) {
        self.end = end
    }

    /// Collects all slots outside the occupied ranges.
    init(besides occupied: [Range<UInt64>]) {
        end = 0
        for range in occupied.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > end {
            if range.lowerBound > end {
                ranges.append(end..<range.lowerBound)
            }
            end = range.upperBound
        }
    }

    /// Reserves consecutive slots: the first free range that is large enough, otherwise the end of the file. The chunks
    /// in them form one run.
    mutating func reserve(_ count: UInt64) -> Range<UInt64> {
        for (index, range) in ranges.enumerated() where UInt64(range.count) >= count {
            let reserved = range.lowerBound..<(range.lowerBound + count)
            if reserved.upperBound == range.upperBound {
                ranges.remove(at: index)
            } else {
                ranges[index] = reserved.upperBound..<range.upperBound
            }
            return reserved
        }
        defer { end += count }
        return end..<(end + count)
    }

    /// Adds slots to the free ranges.
    ///
    /// - Parameter freed: slots that were in use until now.
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
    /// Returns the first index whose element satisfies the condition. All elements after that index must satisfy it
    /// too.
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
