import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct SortedTableTests {
    @Test(arguments: [0, 1, 500, 5_000])
    func `a table has the same content as a dictionary, in the order of its keys`(count: Int) {
        var generator = SplitMix(seed: UInt64(count) + 1)
        var (table, expected) = (SortedTable<Int, Int>(), [Int: Int]())
        for _ in 0..<count {
            let key = Int.random(in: 0..<4_000, using: &generator)
            table.update(key, 0) { $0 += key + 1 }
            expected[key, default: 0] += key + 1
        }
        for _ in 0..<(count / 4) {
            guard let last = table.lastKey else { break }
            #expect(last == expected.keys.max())
            table.removeLast()
            expected[last] = nil
        }
        #expect(table.count == expected.count && table.first?.key == expected.keys.min())
        var found: [Int] = []
        var next = table.first
        while let (key, value) = next {
            #expect(value == expected[key])
            found.append(key)
            next = table.first(after: key)
        }
        #expect(found == expected.keys.sorted())
        for key in stride(from: -1, to: 4_001, by: 37) {
            #expect(table[key] == expected[key])
            #expect(table.first(after: key)?.key == expected.keys.filter { $0 > key }.min())
        }
    }
}
