import Glibc
import StoreBasics

/// What StoreCrypto throws: why, and a message for people that holds no secret.
package struct CryptoError: Error, Hashable, Sendable {
    /// Why. Each maps to exactly one reason of the engine.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        // The machine
        /// libsodium could not be initialised.
        case sodiumUnavailable
        /// The processor lacks what a content of the vault was sealed with.
        case cipherUnavailable
        /// Guarded memory, or the memory of a derivation, could not be had.
        case memoryUnavailable
        /// A file could not be read or written.
        case storageFailed
        /// No space, or no quota, left for a file.
        case diskFull
        /// A file was put in the place of another, and it is not known which of the two a crash would leave.
        case durabilityLost

        // What a person gave
        /// A secret whose length or form its kind of slot does not take.
        case secretInvalid
        /// A recovery code with a typing error in it.
        case recoveryCodeMistyped
        /// A key derivation cost below the floor or above the ceiling.
        case costOutOfRange
        /// A slot label too long, or with control characters in it.
        case labelInvalid
        /// A key file that is missing, too short, too long, readable by others, or not a file.
        case keyFileInvalid
        /// A key file that would be overwritten.
        case keyFileExists

        // The keyring
        /// The secret opens no slot.
        case wrongKey
        /// The keyring is not what was written.
        case keyringDamaged
        /// The keyring was written by a newer version.
        case keyringVersionUnknown
        /// No room for another slot.
        case slotsFull
        /// No slot has this number.
        case slotNotFound
        /// A new secret opens a slot that is there.
        case slotExists
        /// The last slot, or the last one that a person can use, cannot be removed.
        case lastPersonSlot
        /// A rotation has begun and has been neither finished nor cancelled.
        case rotationPending

        // Sealed files
        /// Not a sealed file, or not all of one, or not as it was written.
        case sealedFileDamaged
        /// The secret does not open the sealed file, or is of the wrong kind.
        case sealedFileNotForSecret
        /// Not the public half of an X25519 key pair.
        case recipientKeyInvalid

        // Replica groups
        /// Bytes that are no key of a device or of an epoch.
        case replicaKeyInvalid
        /// An epoch's key that was sealed for another device, or is damaged.
        case epochKeyNotOpened
        /// More than a message of the group's log may have.
        case envelopeTooLarge
        /// Not a batch, or not all of one.
        case batchMalformed
        /// The batch was written by a newer version.
        case batchVersionUnknown
        /// The device that the batch was to be of has not signed it.
        case batchForged
        /// The batch is under another epoch's key, or its device has sealed something else.
        case batchNotOpened
        /// Not a chunk of a snapshot, or not all of one.
        case snapshotMalformed
        /// The chunk was written by a newer version.
        case snapshotVersionUnknown
        /// The device that the chunk was to be of has not signed it.
        case snapshotForged
        /// The chunk is under another epoch's key, or its device has sealed something else.
        case snapshotNotOpened
        /// Not of this invitation, of another kind, or damaged.
        case invitationNotOpened
        /// A request or a welcome that a newer version wrote.
        case invitationVersionUnknown
        /// Who asks to join has not shown to have the key that it names.
        case invitationRequestForged
    }

    package let code: Code
    /// Lower case, cause first, then a hint. Never holds key material.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension CryptoError: CustomStringConvertible {
    package var description: String {
        message
    }
}

extension CryptoError {
    static func damaged(_ what: String) -> CryptoError {
        CryptoError(
            .keyringDamaged,
            """
            the file keyring is damaged: \(what); replace it with keyring.previous or with the keyring of a backup
            """)
    }
}

extension CryptoError {
    /// A failed system call, as `cannot <action>: <text of errno>`.
    static func system(_ action: String, errno number: Int32) -> CryptoError {
        let text = SystemError(number).description
        if number == ENOSPC || number == EDQUOT {
            return CryptoError(.diskFull, "cannot \(action): \(text); free some space and try again")
        }
        return CryptoError(.storageFailed, "cannot \(action): \(text)")
    }

    static func system(_ action: String, _ error: SystemError) -> CryptoError {
        system(action, errno: error.number)
    }
}
