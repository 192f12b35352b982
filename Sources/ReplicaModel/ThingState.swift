package import StoreBasics

/// What a store remembers of a thing beside what it holds of it: which change each field is from.
///
/// Merging is the join of a lattice: the greatest removal, of each field behind it the greatest of stamp and digest,
/// the latest touch. So it does not matter in which order records come, or how often.
package struct ThingState: Hashable, Sendable {
    package struct Mark: Hashable, Sendable {
        package var stamp: ReplicaStamp
        package var digest: ValueDigest

        package init(stamp: ReplicaStamp, digest: ValueDigest) {
            self.stamp = stamp
            self.digest = digest
        }

        /// Of a field that nobody has set.
        package static let none = Mark(stamp: .zero, digest: .none)

        func isLess(than other: Mark) -> Bool {
            stamp == other.stamp ? digest < other.digest : stamp < other.stamp
        }
    }

    package private(set) var removal = ReplicaStamp.zero
    package var touchedAt: Int64 = 0
    /// The value of the field `identity`, also of a thing that is gone; empty: it never had one.
    package private(set) var identity: [UInt8] = []
    /// Of a file: the stamp of what its last change took the place of, as its device knew it; zeros for nothing.
    package var basis = ReplicaStamp.zero
    private var marks: [FieldNumber: Mark] = [:]
    /// The parts of values that later versions have added, by the field of the thing. For a field that this version
    /// does not know it is the whole value.
    private var unknown: [FieldNumber: [UInt8]] = [:]

    package init() {}

    /// The thing is there by itself: something of it was changed behind its last removal.
    package var isLive: Bool {
        marks.values.contains { $0.stamp > removal }
    }

    package func mark(of field: FieldNumber) -> Mark? {
        marks[field]
    }

    /// The fields that have a mark, in ascending order.
    package var fields: [FieldNumber] { marks.keys.sorted() }

    /// Returns the part of a field's value that this version does not know.
    package func unknown(in field: FieldNumber) -> [UInt8] {
        unknown[field] ?? []
    }

    /// Returns the value of a field that this version does not know; `nil` if it has none.
    package func keptValue(of field: FieldNumber) -> [UInt8]? {
        guard let mark = marks[field], mark.digest != .none else { return nil }
        return unknown(in: field)
    }

    /// The latest stamp of anything in it.
    package var newestStamp: ReplicaStamp {
        max(removal, marks.values.map(\.stamp).max() ?? .zero)
    }

    package var newestTime: UInt64 { newestStamp.time }

    /// Sets a field that this device has changed, or that was there before.
    package mutating func set(_ record: FieldRecord, _ digest: ValueDigest) {
        marks[record.field] = Mark(stamp: record.stamp, digest: digest)
        keepIdentity(record)
        if record.value == nil {
            forgetUnknown(in: record.field)
        }
    }

    /// Forgets what later versions have put into a value.
    package mutating func forgetUnknown(in field: FieldNumber) {
        unknown[field] = nil
    }

    /// Has a field, which is not the identity, be as it was before a change.
    package mutating func restore(_ mark: Mark, of field: FieldNumber) {
        marks[field] = mark == .none ? nil : mark
    }

    private mutating func keepIdentity(_ record: FieldRecord) {
        if record.field == .identity {
            identity = record.value ?? []
        }
    }

    /// Removes the thing here.
    package mutating func remove(at stamp: ReplicaStamp) {
        removal = max(removal, stamp)
        forgetRemovedFields()
    }

    /// What merging a record asks to be done.
    package struct Outcome: Hashable, Sendable {
        /// There was a later removal than known: what is there is gone, but for fields changed behind it.
        package var isRemoved = false
        /// Fields whose value is no more, since it is older than the removal.
        package var forgotten: [FieldNumber] = []
        /// Fields that have another value now.
        package var changed: [FieldRecord] = []
        package var isTouched = false

        /// Nothing is to be done.
        package init() {}

        package var isEmpty: Bool { !isRemoved && changed.isEmpty && !isTouched }
    }

    /// - Parameters:
    ///   - digest: Returns the digest of a value.
    ///   - unknown: Returns the part of a value that this version does not know.
    package mutating func merge(
        _ record: ThingRecord, digest: ([UInt8]) -> ValueDigest, unknown: (FieldNumber, [UInt8]) -> [UInt8]
    ) -> Outcome {
        var outcome = Outcome()
        if record.removal > removal {
            removal = record.removal
            outcome.isRemoved = true
            outcome.forgotten = forgetRemovedFields()
        }
        for field in record.fields where field.stamp > removal || field.field == .identity {
            let mark = Mark(stamp: field.stamp, digest: field.value.map(digest) ?? .none)
            if let known = marks[field.field], !known.isLess(than: mark) { continue }
            marks[field.field] = mark
            keepIdentity(field)
            let unknown = field.value.map { unknown(field.field, $0) } ?? []
            self.unknown[field.field] = unknown.isEmpty ? nil : unknown
            outcome.changed.append(field)
        }
        if record.touchedAt > touchedAt {
            touchedAt = record.touchedAt
            outcome.isTouched = true
        }
        return outcome
    }

    @discardableResult
    private mutating func forgetRemovedFields() -> [FieldNumber] {
        let forgotten = marks.filter { $0.key != .identity && $0.value.stamp <= removal }.keys.sorted()
        for field in forgotten {
            marks[field] = nil
            unknown[field] = nil
        }
        return forgotten
    }
}

// MARK: At rest

extension ThingState {
    /// No field has this number.
    private static let basisMark: UInt8 = 255
    private static let unknownMark: UInt8 = 254

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        removal.append(to: &bytes)
        bytes.append(bigEndian: UInt64(bitPattern: touchedAt))
        bytes.append(sized: identity)
        if basis != .zero {
            bytes.append(Self.basisMark)
            basis.append(to: &bytes)
        }
        for (field, mark) in marks.sorted(by: { $0.key < $1.key }) {
            bytes.append(field.rawValue)
            mark.append(to: &bytes)
        }
        for (field, unknown) in unknown.sorted(by: { $0.key < $1.key }) {
            bytes += [Self.unknownMark, field.rawValue]
            bytes.append(sized: unknown)
        }
        return bytes
    }

    /// - Returns: `nil` for bytes that are no state.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        guard let removal = ReplicaStamp(&reader), let touchedAt: UInt64 = reader.bigEndian(),
            let identity = reader.sizedBytes()
        else { return nil }
        self.identity = [UInt8](identity)
        self.removal = removal
        self.touchedAt = Int64(bitPattern: touchedAt)
        while !reader.isAtEnd {
            guard let field = reader.byte() else { return nil }
            if field == Self.basisMark {
                guard let stamp = ReplicaStamp(&reader) else { return nil }
                basis = stamp
            } else if field == Self.unknownMark {
                guard let field = reader.byte(), let bytes = reader.sizedBytes() else { return nil }
                unknown[FieldNumber(rawValue: field)] = [UInt8](bytes)
            } else {
                guard let mark = Mark(&reader) else { return nil }
                marks[FieldNumber(rawValue: field)] = mark
            }
        }
    }
}

extension ThingState.Mark {
    package func append(to bytes: inout [UInt8]) {
        stamp.append(to: &bytes)
        bytes.append(bigEndian: digest.high)
        bytes.append(bigEndian: digest.low)
    }

    package init?(_ reader: inout ByteReader) {
        guard let stamp = ReplicaStamp(&reader), let high: UInt64 = reader.bigEndian(),
            let low: UInt64 = reader.bigEndian()
        else { return nil }
        self.init(stamp: stamp, digest: ValueDigest(high: high, low: low))
    }
}
