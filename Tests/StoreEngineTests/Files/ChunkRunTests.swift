import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests the map of a content's chunks, also against a simple map with an entry for each chunk.
@Suite struct ChunkRunTests {
    private func run(_ chunks: Range<UInt64>, _ slot: UInt64, _ generation: UInt64) throws -> ChunkRun {
        try #require(ChunkRun(chunks: chunks, firstSlot: slot, generation: generation))
    }

    @Test func `a write in the middle of a run leaves both ends of the run in their slots`() throws {
        let change = ChunkMapChange(writing: [try run(3..<5, 20, 2)], over: [try run(0..<10, 0, 1)])
        #expect(change.runs == [try run(0..<3, 0, 1), try run(3..<5, 20, 2), try run(5..<10, 5, 1)])
        #expect(change.freedSlots == [3..<5])
    }

    @Test func `runs that continue each other become one`() throws {
        let change = ChunkMapChange(writing: [try run(4..<6, 4, 1)], over: [try run(0..<4, 0, 1)])
        #expect(change.runs == [try run(0..<6, 0, 1)] && change.freedSlots.isEmpty)
        for other in [try run(4..<6, 5, 1), try run(4..<6, 4, 2)] {
            #expect(ChunkMapChange(writing: [other], over: [try run(0..<4, 0, 1)]).runs.count == 2)
        }
    }

    @Test func `chunks that are cut off free their slots`() throws {
        let touched = [try run(0..<4, 0, 1), try run(4..<9, 10, 2)]
        #expect(ChunkMapChange(cuttingOffFrom: 2, touched).runs == [try run(0..<2, 0, 1)])
        #expect(ChunkMapChange(cuttingOffFrom: 2, touched).freedSlots == [2..<4, 10..<15])
        #expect(ChunkMapChange(cuttingOffFrom: 9, touched).freedSlots.isEmpty)
        #expect(ChunkMapChange(cuttingOffFrom: 0, touched).runs.isEmpty)
    }

    @Test func `an empty run and a run beyond the largest number are invalid`() {
        #expect(ChunkRun(chunks: 3..<3, firstSlot: 0, generation: 1) == nil)
        #expect(ChunkRun(chunks: 0..<(ChunkRun.endMax + 1), firstSlot: 0, generation: 1) == nil)
        #expect(ChunkRun(chunks: 0..<2, firstSlot: .max, generation: 1) == nil)
        #expect(ChunkRun(chunks: 0..<2, firstSlot: ChunkRun.endMax - 1, generation: 1) == nil)
    }

    @Test func `free slots are used again, and free slots at the end are cut off`() {
        var free = FreeSlots(end: 10)
        free.give(2..<4)
        free.give(6..<8)
        free.give(4..<6)
        #expect(free.ranges == [2..<8])
        #expect(free.reserve(7) == 10..<17)
        #expect(free.reserve(2) == 2..<4)
        free.give(10..<17)
        #expect(free.ranges == [4..<8] && free.end == 10)
        free.give(8..<10)
        #expect(free.ranges.isEmpty && free.end == 4)
    }

    @Test(arguments: 0..<20) func `writes and cuts leave the same map as a map of single chunks`(
        seed: UInt64
    ) throws {
        var random = SplitMix(seed: seed)
        var runs: [ChunkRun] = []
        var free = FreeSlots(end: 0)
        var expected: [(slot: UInt64, generation: UInt64)] = []
        for generation in UInt64(1)...200 {
            let first = random.next() % UInt64(expected.count + 1)
            let change: ChunkMapChange
            if random.next() % 5 == 0 {
                change = ChunkMapChange(cuttingOffFrom: first, runs)
                expected.removeSubrange(Int(first)...)
            } else {
                let chunks = first..<(first + 1 + random.next() % 12)
                let slots = free.reserve(UInt64(chunks.count))
                change = ChunkMapChange(writing: [try run(chunks, slots.lowerBound, generation)], over: runs)
                for (chunk, slot) in zip(chunks, slots) {
                    expected.removeSubrange(Int(chunk)..<min(expected.count, Int(chunk) + 1))
                    expected.insert((slot, generation), at: Int(chunk))
                }
            }
            runs = change.runs
            change.freedSlots.forEach { free.give($0) }
            let found = runs.flatMap { run in
                run.chunks.map { (chunk: $0, slot: run.slot(of: $0), generation: run.generation) }
            }
            try #require(found.map(\.chunk) == Array(0..<UInt64(expected.count)))
            #expect(
                found.map(\.slot) == expected.map { Optional($0.slot) }
                    && found.map(\.generation) == expected.map(\.generation))
            let inUse = runs.flatMap { Array($0.slots) }
            let all = inUse + free.ranges.flatMap { Array($0) }
            #expect(all.sorted() == Array(0..<free.end))
        }
    }
}
