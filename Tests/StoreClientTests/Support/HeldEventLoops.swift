import Dispatch
import NIOCore
import NIOPosix

/// A hold on every SwiftNIO thread of this process, which blocks these threads. After the release, the threads read
/// everything that has arrived meanwhile in one turn of their loops.
struct HeldEventLoops: Sendable {
    private let isReleased = DispatchSemaphore(value: 0)
    private let count: Int

    /// Blocks all threads, and returns once they are blocked.
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
