/// The connections of a load. An array of its own, as `Array` holds no values that cannot be copied.
struct LaneArray: ~Copyable {
    private let storage: UnsafeMutableBufferPointer<Lane>
    private(set) var count = 0

    init(capacity: Int) {
        storage = .allocate(capacity: capacity)
    }

    mutating func append(_ lane: consuming Lane) {
        precondition(count < storage.count, "the array is full")
        storage.initializeElement(at: count, to: lane)
        count += 1
    }

    subscript(index: Int) -> Lane {
        @inline(__always) _read {
            yield storage[index]
        }
        @inline(__always) nonmutating _modify {
            yield &storage[index]
        }
    }

    deinit {
        for index in 0..<count {
            storage.deinitializeElement(at: index)
        }
        storage.deallocate()
    }
}
