/// The terms of a text in their order. The memory is reused for the next text.
struct TermList {
    /// A term, with the byte range of the text that it comes from.
    struct Term: Hashable {
        fileprivate let bytesStart: Int
        fileprivate let bytesEnd: Int
        let textStart: Int
        let textEnd: Int
        /// For a pair of characters, the end of its first character; for other terms, `textEnd`. A search that matches
        /// only the beginning of a term highlights the text only up to here.
        let firstEnd: Int
        /// True if the term is the last character of an unspaced run and has no following character to form a pair.
        let isEndOfRun: Bool
    }

    private(set) var terms: [Term] = []
    private var bytes: [UInt8] = []
    /// The start of the unfinished term in `bytes`.
    private var open = 0
    /// True if the unfinished term has reached its size limit. All further characters are dropped, even if a shorter
    /// one would fit.
    private var isFull = false

    var count: Int { terms.count }

    mutating func removeAll() {
        terms.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        open = 0
        isFull = false
    }

    // MARK: Building a term

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

    /// Ends the unfinished term. A term without bytes is dropped.
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
