/// What may be told about a slot: nothing in it helps to open it.
public struct KeySlotInfo: Sendable, Hashable {
    /// 1 to 16.
    public let number: Int
    public let kind: SlotKind
    /// At most 64 bytes, chosen by the person.
    public let label: String
    /// Microseconds since 1970-01-01 UTC.
    public let createdAtMicroseconds: Int64
    /// Nil where the slot's secret is already a key.
    public let cost: KeyDerivationCost?
}
