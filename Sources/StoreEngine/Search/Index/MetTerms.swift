/// The set of distinct terms of one text: a hash table without an allocation for each term.
struct MetTerms {
    private struct Slot {
        /// The end of the term in `bytes`; 0 if the slot is free.
        var end: UInt32 = 0
        var count: UInt32 = 0
        var hash: UInt32 = 0
    }

    private var bytes: [UInt8] = []
    private var slots = [Slot](repeating: Slot(), count: 1_024)
    private var count = 0
    /// True if the empty term was inserted. It has no slot, because its end may be 0.
    private var hasEmpty = false

    /// Inserts a term. Returns false if the term was inserted before.
    mutating func insert(_ term: ArraySlice<UInt8>) -> Bool {
        guard !term.isEmpty else {
            defer { hasEmpty = true }
            return !hasEmpty
        }
        if count * 2 >= slots.count {
            grow()
        }
        let hash = Self.hash(term)
        var index = Int(hash) & (slots.count - 1)
        while slots[index].end > 0 {
            if slots[index].hash == hash, holds(term, slots[index]) { return false }
            index = (index + 1) & (slots.count - 1)
        }
        bytes += term
        slots[index] = Slot(end: UInt32(bytes.count), count: UInt32(term.count), hash: hash)
        count += 1
        return true
    }

    private func holds(_ term: ArraySlice<UInt8>, _ slot: Slot) -> Bool {
        guard Int(slot.count) == term.count else { return false }
        let start = Int(slot.end) - Int(slot.count)
        return bytes[start..<Int(slot.end)] == term
    }

    private mutating func grow() {
        let before = slots
        slots = [Slot](repeating: Slot(), count: before.count * 2)
        for slot in before where slot.end > 0 {
            var index = Int(slot.hash) & (slots.count - 1)
            while slots[index].end > 0 {
                index = (index + 1) & (slots.count - 1)
            }
            slots[index] = slot
        }
    }

    /// Returns the hash of a term under a random key of the process, so that a caller cannot choose terms with equal
    /// hashes.
    private static func hash(_ term: ArraySlice<UInt8>) -> UInt32 {
        var hasher = Hasher()
        term.withUnsafeBytes { hasher.combine(bytes: $0) }
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }
}
