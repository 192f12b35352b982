import Glibc
import StoreBasics

/// The bytes of a file or an attachment. Comparing them is fast even in a build without optimization.
struct ContentBytes: Equatable, Sendable, CustomStringConvertible {
    let array: [UInt8]

    init(_ array: [UInt8]) {
        self.array = array
    }

    init(_ count: Int, _ random: inout SplitMix) {
        array = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            for offset in stride(from: 0, to: count, by: 8) {
                withUnsafeBytes(of: random.next()) { word in
                    UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]).copyBytes(
                        from: word.prefix(min(8, count - offset)))
                }
            }
            initialized = count
        }
    }

    var count: Int { array.count }
    var description: String { "\(count) bytes" }

    static func == (left: ContentBytes, right: ContentBytes) -> Bool {
        left.array.withUnsafeBytes { leftBytes in
            right.array.withUnsafeBytes { rightBytes in
                guard leftBytes.count == rightBytes.count else { return false }
                guard let leftStart = leftBytes.baseAddress, let rightStart = rightBytes.baseAddress else {
                    return true
                }
                return memcmp(leftStart, rightStart, leftBytes.count) == 0
            }
        }
    }

    /// Returns a copy in which `bytes` replace the bytes from `offset` on, and extend the copy if they reach beyond its
    /// end.
    func replaced(at offset: Int, by bytes: ContentBytes) -> ContentBytes {
        ContentBytes(Array(array[..<offset]) + bytes.array + Array(array.dropFirst(offset + bytes.count)))
    }
}
