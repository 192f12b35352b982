package import StoreBasics

/// Inputs for decoders: valid seeds with a few random changes, as a coverage-guided fuzzer makes them.
package enum Mutated {
    package static func input(of seeds: [[UInt8]], _ random: inout SplitMix) -> [UInt8] {
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
