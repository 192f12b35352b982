/// Values in the order of their keys, for very many entries. An insertion moves a few hundred entries at most, while a
/// dictionary sometimes moves all of them. Iteration can start at any key without sorting.
struct SortedTable<Key: Comparable, Value> {
    private typealias Entry = (key: Key, value: Value)

    /// The most entries of a page. A page with more is split in two.
    private static var entriesPerPageMax: Int { 512 }

    /// The pages in the order of their keys; none is empty.
    private var pages: [[Entry]] = []
    private(set) var count = 0

    init() {}

    subscript(key: Key) -> Value? {
        guard let place = place(ofFirstFrom: key) else { return nil }
        let entry = pages[place.page][place.index]
        return entry.key == key ? entry.value : nil
    }

    /// Returns the entry with the least key that is greater than `key`.
    func first(after key: Key) -> (key: Key, value: Value)? {
        guard let place = place(ofFirstFrom: key) else { return nil }
        let found = pages[place.page][place.index]
        guard found.key == key else { return found }
        if place.index + 1 < pages[place.page].count {
            return pages[place.page][place.index + 1]
        }
        return place.page + 1 < pages.count ? pages[place.page + 1].first : nil
    }

    /// The entry with the least key.
    var first: (key: Key, value: Value)? { pages.first?.first }

    /// The greatest key.
    var lastKey: Key? { pages.last?.last?.key }

    /// Changes the value of a key.
    ///
    /// - Parameters:
    ///   - initial: The value to start from if the key is new.
    mutating func update(_ key: Key, _ initial: @autoclosure () -> Value, _ body: (inout Value) -> Void) {
        let page = max(0, pageCount(upTo: key) - 1)
        guard page < pages.count else {
            var value = initial()
            body(&value)
            pages.append([(key, value)])
            count += 1
            return
        }
        let index = Self.index(ofFirstFrom: key, in: pages[page])
        if index < pages[page].count, pages[page][index].key == key {
            body(&pages[page][index].value)
            return
        }
        var value = initial()
        body(&value)
        pages[page].insert((key, value), at: index)
        count += 1
        if pages[page].count > Self.entriesPerPageMax {
            let half = pages[page].count / 2
            pages.insert(Array(pages[page][half...]), at: page + 1)
            pages[page].removeSubrange(half...)
        }
    }

    mutating func set(_ key: Key, _ value: Value) {
        update(key, value) { $0 = value }
    }

    mutating func removeLast() {
        guard !pages.isEmpty else { return }
        pages[pages.count - 1].removeLast()
        count -= 1
        if pages[pages.count - 1].isEmpty {
            pages.removeLast()
        }
    }

    private func place(ofFirstFrom key: Key) -> (page: Int, index: Int)? {
        let page = max(0, pageCount(upTo: key) - 1)
        guard page < pages.count else { return nil }
        let index = Self.index(ofFirstFrom: key, in: pages[page])
        guard index == pages[page].count else { return (page, index) }
        return page + 1 < pages.count ? (page + 1, 0) : nil
    }

    /// Returns the number of pages whose first key is not greater than `key`.
    private func pageCount(upTo key: Key) -> Int {
        var (lowest, end) = (0, pages.count)
        while lowest < end {
            let middle = lowest + (end - lowest) / 2
            if pages[middle][0].key <= key {
                lowest = middle + 1
            } else {
                end = middle
            }
        }
        return lowest
    }

    private static func index(ofFirstFrom key: Key, in page: [Entry]) -> Int {
        var (lowest, end) = (0, page.count)
        while lowest < end {
            let middle = lowest + (end - lowest) / 2
            if page[middle].key < key {
                lowest = middle + 1
            } else {
                end = middle
            }
        }
        return lowest
    }
}
