extension Array {
    /// Returns ranges of consecutive elements, each small enough for one request. An element that is too large is in a
    /// range by itself.
    package func batches(countMax: Int, bytesMax: Int, bytes: (Element) -> Int) -> [Range<Int>] {
        precondition(countMax > 0, "a batch must have at least one element")
        var batches: [Range<Int>] = []
        var start = 0
        var batchBytes = 0
        for (index, element) in enumerated() {
            let elementBytes = bytes(element)
            if index > start, elementBytes > bytesMax - batchBytes || index - start == countMax {
                batches.append(start..<index)
                (start, batchBytes) = (index, 0)
            }
            batchBytes += elementBytes
        }
        if start < count {
            batches.append(start..<count)
        }
        return batches
    }
}
