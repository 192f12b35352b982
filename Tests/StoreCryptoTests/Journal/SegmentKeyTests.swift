import StoreBasics
import TestBasics
import Testing

@testable import StoreCrypto

/// The known answers come from Python's hashlib.blake2b and from libsodium.
@Suite struct SegmentKeyTests {
    private static let header = [UInt8](0..<112)
    private let key: Segment

    init() throws {
        key = try Segment(header: Self.header)
    }

    @Test(arguments: [0, 1, 15, 16, 4_096, 1 << 20]) func `a record opens with its original content`(count: Int) throws
    {
        var random = SplitMix(seed: 1)
        let content = random.bytes(count)
        let sealed = key.sealed(content)
        #expect(Array(sealed.prefix(32)) == Segment.head)
        #expect(key.opened(sealed) == content)
    }

    @Test func `the same record is never sealed to the same bytes`() throws {
        let sealed = (0..<100).map { _ in key.sealed([1, 2, 3]) }
        #expect(Set(sealed.map { $0[32..<Segment.headBytes] }).count == sealed.count)
        #expect(Set(sealed.map { $0[Segment.headBytes...] }).count == sealed.count)
    }

    @Test func `a record with any bit flipped in head, nonce, content or tag does not open`() throws {
        let sealed = key.sealed(Array("a record of some bytes".utf8))
        for bit in 0..<(sealed.count * 8) {
            var damaged = sealed
            damaged[bit / 8] ^= 1 << (bit % 8)
            #expect(key.opened(damaged) == nil, "bit \(bit)")
        }
    }

    @Test func `a record that is shorter or longer does not open`() throws {
        let sealed = key.sealed([1, 2, 3, 4])
        for count in 0..<sealed.count {
            #expect(key.opened(Array(sealed.prefix(count))) == nil)
        }
        #expect(key.opened(sealed + [0]) == nil)
    }

    @Test func `another header or journal key gives another segment key, authenticator and mark`() throws {
        let sealed = key.sealed([1, 2, 3])
        let (authenticator, mark) = (key.authenticator, key.mark(41))
        for byte in Self.header.indices {
            var header = Self.header
            header[byte] ^= 1
            let other = try Segment(header: header)
            #expect(other.opened(sealed) == nil)
            #expect(!other.isAuthenticator(authenticator) && other.mark(41) != mark, "byte \(byte)")
        }
        let foreign = try Segment(header: Self.header, master: MasterKey.generate())
        #expect(foreign.opened(sealed) == nil)
        #expect(!foreign.isAuthenticator(authenticator) && foreign.mark(41) != mark)
        let again = try Segment(header: Self.header)
        #expect(again.opened(sealed) == [1, 2, 3])
        #expect(again.isAuthenticator(authenticator) && again.mark(41) == mark)
    }

    @Test func `an authenticator of another length or with a flipped bit is invalid`() throws {
        let authenticator = key.authenticator
        #expect(!key.isAuthenticator([]) && !key.isAuthenticator(authenticator + [0]))
        #expect(!key.isAuthenticator(Array(authenticator.dropLast())))
        for bit in 0..<(authenticator.count * 8) {
            var damaged = authenticator
            damaged[bit / 8] ^= 1 << (bit % 8)
            #expect(!key.isAuthenticator(damaged))
        }
    }

    @Test func `marks of different numbers differ`() throws {
        let numbers = (0..<100).flatMap { [UInt64($0), UInt64($0) | 1 << 63] }
        #expect(Set(numbers.map { key.mark($0) }).count == numbers.count)
    }

    @Test func `keys, authenticators and records have the known values of their algorithms`() throws {
        #expect(Hexadecimal.encode(key.authenticator) == "f546c670322fbfd82090649aab844240")
        #expect(key.mark(41) == 0x69ae_ebac_b4bd_6fb2)
        let sealed = bytes(
            hexadecimal: """
                c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7
                000102030405060708090a0b0c0d0e0f1011121314151617
                9cf23dda279d93bec3d5ef40381a412d59c743c776431b8eba9899179376809a7f148fe54141
                """)
        #expect(key.opened(sealed) == Array("a record of some bytes".utf8))
    }

    @Test func `salts are random`() {
        #expect(JournalKey.salt(byteCount: 32).count == 32)
        #expect(Set((0..<100).map { _ in JournalKey.salt(byteCount: 32) }).count == 100)
    }
}

/// The key of a segment, with which it seals and opens records.
private final class Segment {
    static let headBytes = 56
    static let head = [UInt8](200..<232)

    private let key: SegmentKey

    init(header: [UInt8], master: consuming MasterKey) throws {
        key = try JournalKey(bytes: master.subkey(.journal)).segmentKey(header: header)
    }

    convenience init(header: [UInt8]) throws {
        try self.init(header: header, master: MasterKey(bytes: secretBytes(Array(0..<32))))
    }

    /// Returns a record: head, nonce, sealed content and tag.
    func sealed(_ content: [UInt8]) -> [UInt8] {
        var record = Self.head + [UInt8](repeating: 0, count: SegmentKey.nonceBytes) + content
        record += [UInt8](repeating: 0, count: SegmentKey.tagBytes)
        record.withUnsafeMutableBytes { key.seal($0, headBytes: Self.headBytes) }
        return record
    }

    /// Returns the content of a record, or `nil` if the record does not open.
    func opened(_ record: [UInt8]) -> [UInt8]? {
        var record = record
        let isOpened = record.withUnsafeMutableBytes { key.open($0, headBytes: Self.headBytes) }
        return isOpened ? Array(record[Self.headBytes..<(record.count - SegmentKey.tagBytes)]) : nil
    }

    var authenticator: [UInt8] { key.headerAuthenticator }

    func isAuthenticator(_ bytes: [UInt8]) -> Bool { key.isAuthenticator(bytes) }

    func mark(_ number: UInt64) -> UInt64 { key.shortAuthenticator((number, 0)) }
}
