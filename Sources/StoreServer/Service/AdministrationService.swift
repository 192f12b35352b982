import StoreBasics
import StoreCrypto
import StoreEngine
import StoreProtocol

/// Runs administration commands on the engine. Calls block, so only the administration queue may use it.
final class AdministrationService: Sendable {
    private let engine: StoreEngine
    private let throttle = PassphraseThrottle()

    init(engine: StoreEngine) {
        self.engine = engine
    }

    /// - Parameter uid: The caller's user. Wrong passphrases delay this user's next attempts.
    func perform(
        _ command: AdministrationCommand, uid: UInt32, progress: @escaping (Progress) -> Void
    ) throws(StoreError) -> AdministrationOutcome {
        let triesPassphrase = command.triesPassphrase
        do throws(StoreError) {
            if triesPassphrase {
                try throttle.check(userID: uid)
            }
            let outcome = try command.run(engine, progress)
            if triesPassphrase {
                throttle.succeeded(userID: uid)
            }
            return outcome
        } catch {
            if triesPassphrase, error.reason == .wrongKey {
                throttle.failed(userID: uid)
            }
            throw error
        }
    }
}
