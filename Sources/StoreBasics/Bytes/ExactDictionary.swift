/// A dictionary whose keys are texts that are compared by their bytes.
///
/// `[String: Value]` treats canonically equivalent texts as the same key: "é" of one scalar and "é" of two. The store
/// distinguishes them, and so does this type.
public struct ExactDictionary<Value> {
    /// A text that equals another text only if all their bytes are equal.
    fileprivate struct ExactKey: Hashable, Sendable {
        let text: String

        static func == (left: ExactKey, right: ExactKey) -> Bool {
            left.text.utf8.elementsEqual(right.text.utf8)
        }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    fileprivate var entries: [ExactKey: Value] = [:]

    /// Creates an empty dictionary.
    public init() {}

    /// Creates a dictionary with the entries of another.
    public init(_ dictionary: [String: Value]) {
        entries.reserveCapacity(dictionary.count)
        for (key, value) in dictionary {
            entries[ExactKey(text: key)] = value
        }
    }

    /// The value of a key; `nil` if it has none. Setting `nil` removes the key.
    public subscript(key: String) -> Value? {
        get { entries[ExactKey(text: key)] }
        set { entries[ExactKey(text: key)] = newValue }
    }

    /// Sets the value of a key.
    ///
    /// - Returns: the previous value of the key.
    @discardableResult
    public mutating func updateValue(_ value: Value, forKey key: String) -> Value? {
        entries.updateValue(value, forKey: ExactKey(text: key))
    }

    /// The number of keys.
    public var count: Int { entries.count }

    /// True if the dictionary is empty.
    public var isEmpty: Bool { entries.isEmpty }

    /// The keys, in the order of their bytes.
    public var keys: [String] {
        entries.keys.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The values, in the order of their keys' bytes.
    public var values: [Value] { map(\.value) }

    /// The entries as a dictionary of the standard library. If several keys are canonically equivalent, it contains
    /// only one of them, with the value of the greatest of these keys in byte order.
    public var standardDictionary: [String: Value] {
        Dictionary(map { ($0.key, $0.value) }) { $1 }
    }

    /// Returns a dictionary with the same keys and transformed values.
    public func mapValues<Other, Failure: Error>(
        _ transform: (Value) throws(Failure) -> Other
    ) throws(Failure) -> ExactDictionary<Other> {
        var result = ExactDictionary<Other>()
        for (key, value) in entries {
            result.entries[ExactDictionary<Other>.ExactKey(text: key.text)] = try transform(value)
        }
        return result
    }
}

extension ExactDictionary: Sequence {
    /// A key with its value.
    public typealias Element = (key: String, value: Value)

    /// Iterates over the entries in the byte order of their keys.
    public func makeIterator() -> IndexingIterator<[Element]> {
        entries.map { (key: $0.key.text, value: $0.value) }
            .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.makeIterator()
    }
}

extension ExactDictionary: ExpressibleByDictionaryLiteral {
    /// Creates a dictionary from a literal. If a key occurs twice, the last value is kept.
    public init(dictionaryLiteral elements: (String, Value)...) {
        for (key, value) in elements {
            self[key] = value
        }
    }
}

extension ExactDictionary: Equatable where Value: Equatable {}

extension ExactDictionary: Hashable where Value: Hashable {}

extension ExactDictionary: Sendable where Value: Sendable {}
