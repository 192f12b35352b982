import StoreBasics
import StoreCrypto
import StoreEngine
import StoreProtocol

/// Runs administration on the engine. Blocks; for the administration queue only.
final class AdministrationService: Sendable {
    private let engine: StoreEngine
    private let throttle = UnlockThrottle()

    init(engine: StoreEngine) {
        self.engine = engine
    }

    /// - Parameter uid: who asks; wrong secrets slow this user down.
    func perform(
        _ command: AdministrationCommand, uid: UInt32, progress: @escaping (Progress) -> Void
    ) throws(RequestFailure) -> AdministrationOutcome {
        let triesSecret = command.triesSecret
        if triesSecret {
            try throttle.check(uid: uid)
        }
        do throws(StoreError) {
            let outcome = try command.run(engine, progress)
            if triesSecret {
                throttle.succeeded(uid: uid)
            }
            return outcome
        } catch {
            if triesSecret, error.reason == .wrongKey {
                throttle.failed(uid: uid)
            }
            throw RequestFailure(error)
        }
    }
}
