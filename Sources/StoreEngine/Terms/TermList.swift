/// The terms of a text in their order, in one piece of memory that is used again for the next text.
struct TermList {
    /// A term, and what it is of in the text, in bytes.
    struct Term: Hashable {
        fileprivate let bytesStart: Int
        fileprivate let bytesEnd: Int
        let textStart: Int
        let textEnd: Int
        /// The end of the part that a single character finds: of a word all, of a pair of characters the first.
        let firstEnd: Int
        /// It is the last character of a run of an unspaced script, without one to make a pair with.
        let isEndOfRun: Bool
    }

    private(set) var terms: [Term] = []
    private var bytes: [UInt8] = []
    /// Where the term begins that is being put together.
    private var open = 0
    /// The term has all it may have: what comes behind it is left out, also what would still fit.
    private var isFull = false

    var count: Int { terms.count }

    mutating func removeAll() {
        terms.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        open = 0
        isFull = false
    }

    // MARK: Putting a term together

    @inline(__always)
    mutating func append(ascii byte: UInt8) {
        isFull = isFull || bytes.count - open >= SearchLimits.termBytesMax
        guard !isFull else { return }
        bytes.append(byte)
    }

    mutating func append(_ scalar: Unicode.Scalar) {
        guard let encoded = Unicode.UTF8.encode(scalar) else { return }
        isFull = isFull || bytes.count - open + encoded.count > SearchLimits.termBytesMax
        guard !isFull else { return }
        bytes.append(contentsOf: encoded)
    }

    /// Ends the term; without bytes it is none.
    mutating func close(textStart: Int, textEnd: Int, firstEnd: Int, isEndOfRun: Bool = false) {
        isFull = false
        guard bytes.count > open else { return }
        terms.append(
            Term(
                bytesStart: open, bytesEnd: bytes.count, textStart: textStart, textEnd: textEnd, firstEnd: firstEnd,
                isEndOfRun: isEndOfRun))
        open = bytes.count
    }

    // MARK: Reading

    func matches(_ pattern: TermPattern, at index: Int) -> Bool {
        let term = terms[index]
        let count = pattern.bytes.count
        guard term.bytesEnd - term.bytesStart >= count else { return false }
        guard pattern.extent != .whole || term.bytesEnd - term.bytesStart == count else { return false }
        for offset in 0..<count where bytes[term.bytesStart + offset] != pattern.bytes[offset] {
            return false
        }
        return true
    }

    func bytes(_ index: Int) -> ArraySlice<UInt8> {
        bytes[terms[index].bytesStart..<terms[index].bytesEnd]
    }

    func text(_ index: Int) -> String {
        String(decoding: bytes(index), as: UTF8.self)
    }
}
