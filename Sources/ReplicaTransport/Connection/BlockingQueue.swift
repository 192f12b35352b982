import Dispatch

/// A queue for calls of libnats that wait for the network. The calls run one after the other on a thread of Dispatch,
/// never on the cooperative thread pool.
final class BlockingQueue: Sendable {
    private let queue: DispatchQueue

    init(_ name: String) {
        queue = DispatchQueue(label: "ghoststore.transport." + name)
    }

    func start(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
    }

    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(TransportError) -> Value
    ) async throws(TransportError) -> Value {
        let result: Result<Value, TransportError> = await withCheckedContinuation { continuation in
            queue.async {
                do throws(TransportError) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}
