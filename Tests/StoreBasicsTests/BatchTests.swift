import StoreBasics
import Testing

@Suite struct BatchTests {
    @Test(
        arguments: [
            ([], []), ([1], [0..<1]), ([4, 6], [0..<2]), ([4, 6, 1], [0..<2, 2..<3]), ([1, 1, 1, 1], [0..<3, 3..<4]),
            ([11], [0..<1]), ([1, 11, 1], [0..<1, 1..<2, 2..<3]), ([0, 0, 0, 0], [0..<3, 3..<4]), ([10, 0], [0..<2]),
        ] as [([Int], [Range<Int>])])
    func `a batch ends before the element that would exceed its count or its bytes`(
        bytes: [Int], expected: [Range<Int>]
    ) {
        #expect(bytes.batches(countMax: 3, bytesMax: 10) { $0 } == expected)
    }
}
