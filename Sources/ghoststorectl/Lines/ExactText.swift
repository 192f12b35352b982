/// Text by its bytes. Swift's `==` takes canonically equivalent texts for equal ("é" of one scalar or of two); the
/// store keeps them apart.
struct ExactText: Hashable, Comparable, Sendable {
    let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    static func < (left: ExactText, right: ExactText) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    static func areEqual(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }
}
