import StoreBasics
import TestBasics

@testable import StoreEngine
@testable import StoreServer

/// Threads for long reads, each at something that ends when it is let.
struct HeldReaders {
    private let gate = OneShot<Bool>()

    init(_ engine: StoreEngine) throws {
        let gate = gate
        for _ in 0..<ServerLimits.readerThreads.defaultValue {
            let isHeld = OneShot<Bool>()
            try engine.readInBackground { _ in
                isHeld.set(true)
                _ = gate.wait()
            }
            _ = isHeld.wait()
        }
    }

    func release() {
        gate.set(true)
    }
}
