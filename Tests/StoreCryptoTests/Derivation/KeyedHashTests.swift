import Testing

@testable import StoreCrypto

@Suite struct KeyedHashTests {
    @Test(arguments: [0, 1, 127, 128, 129, 1_000])
    func `pieces of any size give the authenticator of the whole message`(pieceBytes: Int) throws {
        let key = try secretBytes([UInt8](0..<32))
        let message = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
        var hash = KeyedHash(key: key)
        var rest = message[...]
        while !rest.isEmpty, pieceBytes > 0 {
            hash.update(Array(rest.prefix(pieceBytes)))
            rest = rest.dropFirst(pieceBytes)
        }
        hash.update(Array(rest))
        #expect(hash.finish() == Blake2b.authenticator(of: message, key: key))
    }

    @Test func `another key or message gives another authenticator`() throws {
        let key = try secretBytes([UInt8](0..<32))
        let other = try secretBytes([UInt8](1..<33))
        let authenticator = Blake2b.authenticator(of: [1, 2, 3], key: key)
        var same = KeyedHash(key: key)
        same.update([1, 2, 3])
        var otherKey = KeyedHash(key: other)
        otherKey.update([1, 2, 3])
        var otherMessage = KeyedHash(key: key)
        otherMessage.update([1, 2, 4])
        let isSameEqual = same.isEqual(to: authenticator)
        let isOtherKeyEqual = otherKey.isEqual(to: authenticator)
        let isOtherMessageEqual = otherMessage.isEqual(to: authenticator)
        #expect(isSameEqual && !isOtherKeyEqual && !isOtherMessageEqual)
    }
}
