import Interchange
import StoreBasics
import Testing

@Suite struct CacheAdvancePropertyTests {
    static func message(_ numbers: inout SplitMix, most: Int) -> [UInt8] {
        (0..<Int.random(in: 1...most, using: &numbers)).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    }

    @Test(arguments: 0..<60)
    func `every append writes the bytes that the original library would write`(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        let maximum = Int.random(in: 70...1_500, using: &numbers)
        let overwrites = seed % 3 != 0
        let most = Int.random(in: 1...(seed % 2 == 0 ? 40 : maximum), using: &numbers)
        var followed = FollowedFile(maximumBytes: maximum, overwrites: overwrites)
        var file = CacheAdvanceFile(
            CacheAdvanceConfiguration(maximumBytes: UInt64(maximum), overwritesOldest: overwrites))
        for step in 0..<250 {
            let message = Self.message(&numbers, most: most)
            let outcome = file.append(message)
            switch followed.append(message) {
            case .written:
                guard case .fits = outcome else {
                    Issue.record("the original writes what we refuse, at step \(step)")
                    return
                }
            case .largerThanCapacity: #expect(outcome == .largerThanCapacity)
            case .largerThanRemaining: #expect(outcome == .largerThanRemaining)
            }
            guard file.bytes == followed.bytes else {
                Issue.record("the bytes differ after step \(step)")
                return
            }
        }
        #expect(try CacheAdvanceFile(parsing: file.bytes) == file)
    }

    @Test(arguments: 0..<40)
    func `a file has the newest of the appended messages`(seed: UInt64) throws {
        var numbers = SplitMix(seed: 1_000 + seed)
        let maximum = UInt64.random(in: 80...2_000, using: &numbers)
        var file = CacheAdvanceFile(
            CacheAdvanceConfiguration(maximumBytes: maximum, overwritesOldest: seed % 2 == 0))
        var written: [[UInt8]] = []
        for _ in 0..<100 {
            let message = Self.message(&numbers, most: 60)
            if case .fits = file.append(message) {
                written.append(message)
            }
        }
        let read = try CacheAdvanceFile(parsing: file.bytes).messages
        #expect(read == written.suffix(read.count))
        #expect(!read.isEmpty || written.isEmpty)
        if !file.configuration.overwritesOldest {
            #expect(read == written)
        }
    }

    @Test(arguments: 0..<60) func `no bytes make the reader trap`(seed: UInt64) {
        var numbers = SplitMix(seed: 2_000 + seed)
        var file = CacheAdvanceFile(CacheAdvanceConfiguration(maximumBytes: 400, overwritesOldest: true))
        for _ in 0..<30 {
            file.append(Self.message(&numbers, most: 40))
        }
        for _ in 0..<200 {
            var bytes = file.bytes
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                bytes[Int.random(in: 0..<bytes.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            }
            bytes.removeLast(Int.random(in: 0...8, using: &numbers))
            if let read = try? CacheAdvanceFile(parsing: bytes) {
                #expect(read.messages.count == read.messageCount)
            }
        }
    }
}
