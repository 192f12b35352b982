import StoreBasics

/// Locks the store after a time without use.
final class AutoLock: Sendable {
    private let afterSeconds: Int
    private let status: EngineStatus
    private let isStopping = ConditionLock(false)
    private let thread = ConditionLock<StoreThread?>(nil)

    init(afterSeconds: Int, status: EngineStatus) throws(StoreError) {
        guard afterSeconds > 0 else {
            throw .invalidArgument("the auto-lock time is \(afterSeconds) seconds; it must be at least 1")
        }
        self.afterSeconds = afterSeconds
        self.status = status
    }

    func start(_ lock: @escaping @Sendable () -> Void) {
        let (afterSeconds, status, isStopping) = (afterSeconds, status, isStopping)
        let started = try? StoreThread(name: "store-auto-lock") {
            while true {
                let left = max(1, afterSeconds - status.idleSeconds)
                if isStopping.wait(timeoutMilliseconds: left * 1_000, until: { $0 ? true : nil }) != nil {
                    return
                }
                if status.idleSeconds >= afterSeconds, status.isStoreOpen {
                    lock()
                }
            }
        }
        thread.withLock { $0 = started }
    }

    func stop() {
        isStopping.broadcast { $0 = true }
        thread.withLock { $0?.join() }
    }
}
