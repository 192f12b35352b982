/// The 64-bit hash FNV-1a (https://datatracker.ietf.org/doc/html/draft-eastlake-fnv), which is the same in every
/// process and on every machine. It is easy to forge, so it must not be used where an attacker could gain from a
/// collision.
package struct StableHash: Hashable, Sendable {
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    @inline(__always)
    package mutating func combine(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }

    package mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            combine(byte)
        }
    }
}
