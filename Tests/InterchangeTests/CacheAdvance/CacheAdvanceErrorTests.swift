import Interchange
import Testing

@Suite struct CacheAdvanceErrorTests {
    private static let bounded = CacheAdvanceConfiguration(maximumBytes: 200, overwritesOldest: false)

    /// A file with three messages of 10 bytes, at offsets 64, 78 and 92. The last one ends at 106.
    private static var sample: [UInt8] {
        var file = CacheAdvanceFile(bounded)
        for letter in UInt8(ascii: "a")...UInt8(ascii: "c") {
            file.append([UInt8](repeating: letter, count: 10))
        }
        return file.bytes
    }

    private static func errorOffset(_ bytes: [UInt8]) -> UInt64? {
        do throws(InterchangeError) {
            _ = try CacheAdvanceFile(parsing: bytes)
            return nil
        } catch {
            return error.offset
        }
    }

    private static func sample(setting value: UInt8, at offset: Int) -> [UInt8] {
        var bytes = sample
        bytes[offset] = value
        return bytes
    }

    @Test func `an intact file has no error`() {
        #expect(Self.errorOffset(Self.sample) == nil)
    }

    @Test(arguments: [0, 1, 63]) func `the error of a truncated header names the end of the file`(count: Int) {
        #expect(Self.errorOffset(Array(Self.sample.prefix(count))) == UInt64(count))
    }

    @Test func `the error of an unknown version names byte 0`() {
        #expect(Self.errorOffset(Self.sample(setting: 2, at: 0)) == 0)
    }

    @Test func `the error of a file longer than its maximum names the maximum`() {
        #expect(Self.errorOffset(Self.sample(setting: 100, at: 8)) == 1)
    }

    @Test func `the error of a flag that is neither 0 nor 1 names the flag`() {
        #expect(Self.errorOffset(Self.sample(setting: 7, at: 9)) == 9)
    }

    @Test func `an impossible position of the oldest message gives an error at the field of that position`() {
        #expect(Self.errorOffset(Self.sample(setting: 250, at: 17)) == 10)
        #expect(Self.errorOffset(Self.sample(setting: 78, at: 17)) == 10)
        #expect(Self.errorOffset(Self.sample(setting: 3, at: 17)) == 10)
    }

    @Test func `a newest message that ends beyond the file gives an error at the field of that end`() {
        #expect(Self.errorOffset(Array(Self.sample.dropLast())) == 18)
    }

    @Test func `if the end of the newest message is within a message, the error names that message's length`() {
        #expect(Self.errorOffset(Self.sample(setting: 105, at: 25)) == 92)
        #expect(Self.errorOffset(Self.sample(setting: 94, at: 25)) == 92)
    }

    @Test func `the error of a length that is too large or 0 names the length`() {
        #expect(Self.errorOffset(Self.sample(setting: 255, at: 78)) == 78)
        #expect(Self.errorOffset(Self.sample(setting: 0, at: 81)) == 78)
    }
}
