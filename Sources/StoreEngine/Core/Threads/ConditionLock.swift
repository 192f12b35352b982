import Glibc

/// A mutex with a condition variable, on which a thread can sleep until there is work.
///
/// `@unchecked Sendable` because `value` is accessed only while the pthread mutex is held.
final class ConditionLock<Value: ~Copyable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value

    init(_ value: consuming Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Changes the value and wakes one waiter.
    func signal<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
        let result = try withLock(body)
        pthread_cond_signal(condition)
        return result
    }

    /// Changes the value and wakes every waiter.
    func broadcast<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
        let result = try withLock(body)
        pthread_cond_broadcast(condition)
        return result
    }

    /// Waits until `body` returns a value. After a time-out, `body` is called once more and its result is returned,
    /// even `nil`.
    func wait<Result>(timeoutMilliseconds: Int? = nil, until body: (inout Value) -> Result?) -> Result? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        var deadline = timespec()
        if let timeoutMilliseconds {
            clock_gettime(CLOCK_MONOTONIC, &deadline)
            deadline.tv_sec += timeoutMilliseconds / 1_000
            deadline.tv_nsec += (timeoutMilliseconds % 1_000) * 1_000_000
            if deadline.tv_nsec >= 1_000_000_000 {
                deadline.tv_sec += 1
                deadline.tv_nsec -= 1_000_000_000
            }
        }
        while true {
            if let result = body(&value) {
                return result
            }
            guard timeoutMilliseconds != nil else {
                pthread_cond_wait(condition, mutex)
                continue
            }
            if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT {
                return body(&value)
            }
        }
    }
}

/// Passes one value from the thread that produces it to the thread that waits for it.
final class OneShot<Value: Sendable>: Sendable {
    private let lock = ConditionLock<Value?>(nil)

    func set(_ value: Value) {
        lock.broadcast { $0 = value }
    }

    func wait() -> Value {
        guard let value = lock.wait(until: { $0 }) else {
            preconditionFailure("a wait without a timeout ended without a value")
        }
        return value
    }
}
