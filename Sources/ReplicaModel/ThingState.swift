package import StoreBasics

/// Replication data that a store has besides a thing itself: the change that each field comes from.
///
/// Merging is the join of a lattice: it keeps the greatest removal, the greatest stamp and digest of each field after
/// the removal, and the latest touch. Therefore records may arrive in any order and any number of times.
package struct ThingState: Hashable, Sendable {
    package struct Mark: Hashable, Sendable {
        package var stamp: ReplicaStamp
        package var digest: ValueDigest

        package init(stamp: ReplicaStamp, digest: ValueDigest) {
            self.stamp = stamp
            self.digest = digest
        }

        /// The mark of a field that was never set.
        package static let none = Mark(stamp: .zero, digest: .none)

        func isLess(than other: Mark) -> Bool {
            stamp == other.stamp ? digest < other.digest : stamp < other.stamp
        }
    }

    package private(set) var removal = ReplicaStamp.zero
    package var touchedAt: Int64 = 0
    /// The value of the field `identity`, which survives the thing's removal; empty if the thing never had an identity.
    package private(set) var identity: [UInt8] = []
    /// For a file: the stamp of the version that the last change replaced on the device that made the change; zero for
    /// a new file.
    package var basis = ReplicaStamp.zero
    private var marks: [FieldNumber: Mark] = [:]
    /// For each field, the part of its value that only later versions know. For a field that this version does not
    /// know, this part is the whole value.
    private var unknown: [FieldNumber: [UInt8]] = [:]

    package init() {}

    /// True if the thing exists: a field was changed after the last removal.
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

    /// Returns the value of a field whose number this version does not know; `nil` if the field has no value.
    package func keptValue(of field: FieldNumber) -> [UInt8]? {
        guard let mark = marks[field], mark.digest != .none else { return nil }
        return unknown(in: field)
    }

    /// The latest of the stamps of the removal and of all fields.
    package var newestStamp: ReplicaStamp {
        max(removal, marks.values.map(\.stamp).max() ?? .zero)
    }

    package var newestTime: UInt64 { newestStamp.time }

    /// Records the change of a field by this device, or a field that existed before the store had a group.
    package mutating func set(_ record: FieldRecord, _ digest: ValueDigest) {
        marks[record.field] = Mark(stamp: record.stamp, digest: digest)
        keepIdentity(record)
        if record.value == nil {
            forgetUnknown(in: record.field)
        }
    }

    /// Removes the part of a field's value that only later versions know.
    package mutating func forgetUnknown(in field: FieldNumber) {
        unknown[field] = nil
    }

    /// Restores the mark that a field had before a change. Not for the field `identity`.
    package mutating func restore(_ mark: Mark, of field: FieldNumber) {
        marks[field] = mark == .none ? nil : mark
    }

    private mutating func keepIdentity(_ record: FieldRecord) {
        if record.field == .identity {
            identity = record.value ?? []
        }
    }

    /// Records that this device has removed the thing.
    package mutating func remove(at stamp: ReplicaStamp) {
        removal = max(removal, stamp)
        forgetRemovedFields()
    }

    /// The actions that the merge of a record requires.
    package struct Outcome: Hashable, Sendable {
        /// True if a newer removal was merged. The thing must be deleted, except for fields changed after the removal.
        package var isRemoved = false
        /// Fields whose value must be deleted, because it is older than the removal.
        package var forgotten: [FieldNumber] = []
        /// Fields that have a new value.
        package var changed: [FieldRecord] = []
        package var isTouched = false

        package init() {}

        package var isEmpty: Bool { !isRemoved && changed.isEmpty && !isTouched }
    }

    /// Merges a record.
    ///
    /// - Parameters:
    ///   - digest: returns the digest of a field's value.
    ///   - unknown: returns the part of a value that this version does not know.
    package mutating func merge(
        _ record: ThingRecord, digest: (FieldNumber, [UInt8]) -> ValueDigest, unknown: (FieldNumber, [UInt8]) -> [UInt8]
    ) -> Outcome {
        var outcome = Outcome()
        if record.removal > removal {
            removal = record.removal
            outcome.isRemoved = true
            outcome.forgotten = forgetRemovedFields()
        }
        for field in record.fields where field.stamp > removal || field.field == .identity {
            let mark = Mark(stamp: field.stamp, digest: field.value.map { digest(field.field, $0) } ?? .none)
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

// MARK: Stored form

extension ThingState {
    /// The byte that shows that a basis follows. Before a mark there is a field number instead, and no field has this
    /// number.
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

    /// Decodes a state; returns `nil` for invalid bytes.
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
