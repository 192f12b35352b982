import Glibc
import StoreBasics

/// An error of StoreCrypto: a code, and a message for people that contains no secret.
package struct CryptoError: Error, Hashable, Sendable {
    /// The cause of an error. Each code maps to exactly one reason of the engine.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        // Machine
        /// libsodium could not be initialized.
        case sodiumUnavailable
        /// The processor does not support the cipher of a vault content.
        case cipherUnavailable
        /// Guarded memory, or the memory of a derivation, could not be allocated.
        case memoryUnavailable
        /// A file could not be read or written.
        case storageFailed
        /// No space or quota is left for a file.
        case diskFull
        /// A file replaced another, and it is unknown which of the two exists after a crash.
        case durabilityLost

        // Input of a person
        /// A secret has a length or form that its kind of slot does not allow.
        case secretInvalid
        /// A recovery code has a wrong length, a character that is not allowed, or a wrong checksum.
        case recoveryCodeMistyped
        /// A key derivation cost is outside the limits.
        case costOutOfRange
        /// A slot label is too long or has control characters.
        case labelInvalid
        /// A key file is missing, too short, too long, readable by other users, or not a regular file.
        case keyFileInvalid
        /// A key file already exists and would be overwritten.
        case keyFileExists

        // Keyring
        /// The secret opens no slot.
        case wrongKey
        /// The keyring was changed since it was written.
        case keyringDamaged
        /// The keyring was written by a newer version of ghoststore.
        case keyringVersionUnknown
        /// All 16 slots of the keyring are in use.
        case slotsFull
        /// No slot has this number.
        case slotNotFound
        /// A new secret already opens an existing slot.
        case slotExists
        /// The last slot, or the last slot for a person, cannot be removed.
        case lastPersonSlot
        /// A rotation was begun and was neither finished nor canceled.
        case rotationPending

        // Sealed files
        /// The file is not a sealed file, is incomplete, or was changed.
        case sealedFileDamaged
        /// The secret does not open the sealed file, or is of the wrong kind.
        case sealedFileNotForSecret
        /// The bytes are not an X25519 public key.
        case recipientKeyInvalid

        // Replica groups
        /// The bytes are not a key of a device or of an epoch.
        case replicaKeyInvalid
        /// The key of an epoch is damaged or was sealed for another device.
        case epochKeyNotOpened
        /// The sealed message would be larger than the group's stream allows.
        case envelopeTooLarge
        /// The bytes are not a complete batch.
        case batchMalformed
        /// The batch was written by a newer version of ghoststore.
        case batchVersionUnknown
        /// The batch has no valid signature of the expected device.
        case batchForged
        /// The batch was sealed with another epoch's key, or its content was changed.
        case batchNotOpened
        /// The bytes are not a complete chunk of a snapshot.
        case snapshotMalformed
        /// The chunk was written by a newer version of ghoststore.
        case snapshotVersionUnknown
        /// The chunk has no valid signature of the expected device.
        case snapshotForged
        /// The chunk was sealed with another epoch's key, or its content was changed.
        case snapshotNotOpened
        /// The message belongs to another invitation, is of another kind, or is damaged.
        case invitationNotOpened
        /// The request or welcome was written by a newer version of ghoststore.
        case invitationVersionUnknown
        /// The device that wants to join has not proved that it has the secret half of the signing key in its request.
        case invitationRequestForged
    }

    package let code: Code
    /// The message, in lower case: the cause, then a hint. It never contains key material.
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
            the file keyring is damaged: \(what); hint: stop the daemon, copy its state directory, then follow the \
            steps in 'man ghoststored'
            """)
    }
}

extension CryptoError {
    /// Returns the error for a failed system call, with the message `cannot <action>: <text of errno>`.
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
