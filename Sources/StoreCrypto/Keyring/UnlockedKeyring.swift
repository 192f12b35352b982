/// Which of the two master keys that exist during a rotation.
package enum MasterKeyGeneration: Sendable, Hashable {
    case current
    /// Only while a rotation is pending.
    case next
}

/// A keyring with its keys at hand. Changes happen in memory: write `keyring` with `KeyringFile.write` after each,
/// or take the change back with `revert(to:)`.
package struct UnlockedKeyring: ~Copyable, Sendable {
    /// Authenticated, and what a file should hold.
    package internal(set) var keyring: Keyring
    var keys: KeyringKeys
    /// The number of the slot whose secret opened this.
    package let openedSlot: Int

    /// From a keyring that has been checked against these keys.
    init(keyring: Keyring, keys: consuming KeyringKeys, openedSlot: Int) {
        self.keyring = keyring
        self.keys = keys
        self.openedSlot = openedSlot
    }

    /// From new content, which is authenticated here.
    init(content: KeyringContent, keys: consuming KeyringKeys, openedSlot: Int) {
        keyring = content.authenticated(under: keys.authenticity)
        self.keys = keys
        self.openedSlot = openedSlot
    }

    /// Whether there is a next master key: a rotation is pending.
    package var hasNext: Bool {
        keyring.hasPendingRotation
    }

    /// Lends a master key. Asking for the next one when there is none is a programmer's error.
    package borrowing func withMasterKey<R: ~Copyable, E: Error>(
        _ generation: MasterKeyGeneration, _ body: (borrowing MasterKey) throws(E) -> R
    ) throws(E) -> R {
        switch generation {
        case .current:
            return try body(keys.current)
        case .next:
            switch keys.next {
            case .some(let next): return try body(next)
            case .none: preconditionFailure("no rotation is pending")
            }
        }
    }

    /// Takes back a change of slots that could not be written.
    ///
    /// - Throws: `.keyringDamaged` when `earlier` is not of this keyring, or not of the same stage of rotation.
    package mutating func revert(to earlier: Keyring) throws(CryptoError) {
        guard earlier.isAuthentic(under: keys.authenticity),
            earlier.content.currentCheck == keyring.content.currentCheck,
            earlier.content.nextCheck == keyring.content.nextCheck
        else { throw .damaged("the one to go back to has other keys") }
        keyring = earlier
    }
}

extension KeyringContent {
    func authenticated(under key: borrowing AuthenticityKey) -> Keyring {
        Keyring(content: self, authenticator: key.authenticator(of: authenticatedBytes()))
    }
}
