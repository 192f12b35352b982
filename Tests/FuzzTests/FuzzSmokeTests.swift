import StoreBasics
import TestBasics
import Testing

/// Runs the targets of `make fuzz-long` without coverage guidance: on every seed, every earlier finding and many
/// mutations of both.
@Suite struct FuzzSmokeTests {
    @Test(arguments: FuzzTarget.allCases) func `a target keeps its promises for its seeds and for mutations of them`(
        _ target: FuzzTarget
    ) throws {
        let seeds = try target.seeds()
        try #require(!seeds.isEmpty)
        for seed in seeds {
            try target.run(seed)
        }
        var random = TestSeeds.generator(9)
        for _ in 0..<TestTier.count(60, long: 400) {
            try target.run(Mutated.input(of: seeds, &random))
        }
    }

    @Test(arguments: FuzzTarget.allCases) func `a target keeps its promises for empty and short inputs`(
        _ target: FuzzTarget
    ) throws {
        try target.run([])
        for byte in UInt8.min...UInt8.max {
            try target.run([byte])
            try target.run([byte, byte, byte, byte, byte])
        }
    }

    /// Reads the source as text, because only the fuzzer has all targets and only `make fuzz-long` builds it.
    @Test func `make fuzz-long runs every target`() throws {
        let declared = try ProjectFiles.text("Tests/FuzzTests/Targets/FuzzTarget.swift")
            .matches(of: /(?m)^    case (\w+)(?: = "([^"]+)")?$/).map { String($0.2 ?? $0.1) }
        #expect(Set(declared).isSuperset(of: FuzzTarget.allCases.map(\.rawValue)))
        let script = try ProjectFiles.text("scripts/fuzz")
        let list = try #require(script.firstMatch(of: /(?m)^ALL=\(([^)]*)\)$/)).1
        let run = list.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(run.sorted() == declared.sorted())
    }
}
