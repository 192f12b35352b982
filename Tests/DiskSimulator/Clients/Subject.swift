import StoreBasics
import StoreEngine

/// Something that a client does.
enum Work {
    case mutation(Mutation)
    /// A write of a file in pieces.
    case fileWrite(FileWriteRequest, [UInt8])
}

/// What one client does, one work after the other, and what the store holds of it then. Its works depend on nothing but
/// their random numbers and those before, so that every life can tell what the lives before it did.
protocol Subject {
    /// What a reader sees, by names of the subject's own.
    var contents: [String: String] { get }
    /// Texts that nothing holds any more.
    var removedTexts: [String] { get }
    /// `read` shows one moment, whatever is written meanwhile.
    var isReadAtOnce: Bool { get }
    /// - Parameter number: of the work among those of this client.
    mutating func next(_ number: Int, _ random: inout SplitMix) throws(StoreError) -> Work
    /// The same as `contents`, as the store has it.
    func read(_ reader: StoreReader) throws(StoreError) -> [String: String]
}

extension SplitMix {
    mutating func number(below bound: Int) -> Int {
        Int(truncatingIfNeeded: next() % UInt64(max(bound, 1)))
    }

    /// True once in so many times.
    mutating func isOne(of count: Int) -> Bool {
        number(below: count) == 0
    }

    mutating func element<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[number(below: elements.count)]
    }

    /// Letters, of which none is another's.
    mutating func text(bytesMax: Int) -> String {
        "text \(next()) " + String(repeating: "and more ", count: number(below: bytesMax / 9))
    }
}
