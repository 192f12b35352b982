/// What may be told about a slot: nothing in it helps to open it.
package struct KeySlotInfo: Sendable, Hashable {
    /// 1 to 16.
    package let number: Int
    package let kind: SlotKind
    /// At most 64 bytes, chosen by the person.
    package let label: String
    /// Microseconds since 1970-01-01 UTC.
    package let createdAtMicroseconds: Int64
    /// Nil where the slot's secret is already a key.
    package let cost: KeyDerivationCost?
}
