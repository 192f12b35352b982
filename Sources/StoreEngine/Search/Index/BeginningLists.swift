/// A cache of the messages that contain any term with a given beginning, by segment. It is kept from one page of a
/// search to the next, because sorting these messages takes long. A list changes only when a message leaves the index
/// or segments are merged.
final class BeginningLists {
    private struct Key: Hashable {
        let segment: Int64
        let bytes: [UInt8]
    }

    private static let sequencesMax = 128 << 10
    private static let listsMax = 8_192

    /// The cached lists; a `nil` value stands for a list that is too long to keep.
    private var lists: [Key: [Int64]?] = [:]
    private var sequenceCount = 0

    func removeAll() {
        lists.removeAll()
        sequenceCount = 0
    }

    func list(
        of bytes: [UInt8], in segment: SearchIndex.Segment, _ make: () throws(StoreError) -> [Int64]?
    ) throws(StoreError) -> [Int64]? {
        guard segment.isStill else { return try make() }
        let key = Key(segment: segment.number, bytes: bytes)
        if let list = lists[key] { return list }
        let list = try make()
        sequenceCount += list?.count ?? 0
        if sequenceCount > Self.sequencesMax || lists.count >= Self.listsMax {
            removeAll()
            sequenceCount = list?.count ?? 0
        }
        lists[key] = .some(list)
        return list
    }
}
