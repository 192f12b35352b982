import Dispatch
import NIOCore
import NIOPosix

/// Blocks every SwiftNIO thread of this process. Everything that arrives meanwhile is then read in one turn of the
/// loops.
struct HeldEventLoops: Sendable {
    private let isReleased = DispatchSemaphore(value: 0)
    private let count: Int

    /// Returns once all threads are blocked.
    static func hold() async -> HeldEventLoops {
        var loops = MultiThreadedEventLoopGroup.singleton.makeIterator()
        var all: [any EventLoop] = []
        while let loop = loops.next() {
            all.append(loop)
        }
        let held = HeldEventLoops(count: all.count)
        for loop in all {
            await withCheckedContinuation { continuation in
                loop.execute {
                    continuation.resume()
                    held.isReleased.wait()
                }
            }
        }
        return held
    }

    private init(count: Int) {
        self.count = count
    }

    func release() {
        for _ in 0..<count {
            isReleased.signal()
        }
    }
}
