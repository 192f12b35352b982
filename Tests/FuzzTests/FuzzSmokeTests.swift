import StoreBasics
import TestBasics
import Testing

/// The targets of `make fuzz-long` without a coverage guide: every seed and every finding, and many changes of them.
@Suite struct FuzzSmokeTests {
    @Test(arguments: FuzzTarget.allCases) func `a target keeps its promises for its seeds and changes of them`(
        _ target: FuzzTarget
    ) throws {
        let seeds = try target.seeds()
        try #require(!seeds.isEmpty)
        for seed in seeds {
            try target.run(seed)
        }
        var random = SplitMix(seed: 9)
        for _ in 0..<400 {
            try target.run(Mutated.input(of: seeds, &random))
        }
    }

    @Test(arguments: FuzzTarget.allCases) func `a target takes nothing and any short input`(_ target: FuzzTarget) throws
    {
        try target.run([])
        for byte in UInt8.min...UInt8.max {
            try target.run([byte])
            try target.run([byte, byte, byte, byte, byte])
        }
    }
}

/// A seed with a few changes of the kinds that a coverage-guided fuzzer makes too.
private enum Mutated {
    static func input(of seeds: [[UInt8]], _ random: inout SplitMix) -> [UInt8] {
        var input = seeds[Int(random.next() % UInt64(seeds.count))]
        for _ in 0...(random.next() % 4) {
            change(&input, seeds, &random)
        }
        return input
    }

    private static func change(_ input: inout [UInt8], _ seeds: [[UInt8]], _ random: inout SplitMix) {
        let position = Int(random.next() % UInt64(input.count + 1))
        let length = Int(random.next() % 9)
        switch random.next() % 6 {
        case 0 where position < input.count: input[position] ^= 1 << UInt8(random.next() % 8)
        case 1: input.insert(contentsOf: random.bytes(length), at: position)
        case 2: input.removeSubrange(position..<min(input.count, position + length))
        case 3: input.removeSubrange(position...)
        case 4 where position < input.count:
            input[position] = [0, 1, 0x7F, 0x80, 0xFF][Int(random.next() % 5)]
        default:
            let other = seeds[Int(random.next() % UInt64(seeds.count))]
            input.replaceSubrange(position..., with: other.dropFirst(min(other.count, position)))
        }
    }
}
