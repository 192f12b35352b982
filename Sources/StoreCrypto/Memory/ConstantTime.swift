import CSodium

enum ConstantTime {
    /// Whether both hold the same bytes, in a time that depends on their lengths only.
    ///
    /// https://doc.libsodium.org/helpers#constant-time-test-for-equality
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && sodium_memcmp(left, right, left.count) == 0
    }
}
