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
