/// Fetches several items at once and hands the results over in the items' order.
enum OrderedPrefetch {
    /// - Parameter inFlightMax: items fetched, or fetched and not handed over yet.
    static func run<Item: Sendable, Fetched: Sendable>(
        _ items: [Item], inFlightMax: Int, fetch: @escaping @Sendable (Item) async throws -> Fetched,
        handOver: (Item, Fetched) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: (index: Int, fetched: Fetched).self) { group in
            var waiting: [Int: Fetched] = [:]
            var started = 0
            for (index, item) in items.enumerated() {
                while started < min(items.count, index + inFlightMax) {
                    let place = started
                    group.addTask { (place, try await fetch(items[place])) }
                    started += 1
                }
                while waiting[index] == nil, let next = try await group.next() {
                    waiting[next.index] = next.fetched
                }
                if let fetched = waiting.removeValue(forKey: index) {
                    try await handOver(item, fetched)
                }
            }
        }
    }
}
