/// FNV-1a of 64 bits (https://datatracker.ietf.org/doc/html/draft-eastlake-fnv): the same in every process and on every
/// machine. Easy to forge: never for what an attacker gains from.
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
