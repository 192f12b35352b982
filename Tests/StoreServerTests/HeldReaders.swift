import StoreBasics
import TestBasics

@testable import StoreEngine
@testable import StoreServer

/// The engine's threads for long reads, kept busy until the test releases them.
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
