/// A queue on one array: constant time at both ends, and memory given back when it runs empty.
struct FIFOQueue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var count: Int {
        elements.count - head
    }

    var isEmpty: Bool {
        count == 0
    }

    var first: Element? {
        head < elements.count ? elements[head] : nil
    }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else {
            return nil
        }
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            elements = []
            head = 0
        } else if head >= 64, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Takes out the elements that are meant, in order. Looks at all of them.
    mutating func remove(where isMeant: (Element) -> Bool) -> [Element] {
        let removed = elements[head...].compactMap { $0 }.filter(isMeant)
        if !removed.isEmpty {
            elements = elements[head...].filter { $0.map { !isMeant($0) } ?? false }
            head = 0
        }
        return removed
    }

    mutating func removeAll() {
        elements = []
        head = 0
    }
}
