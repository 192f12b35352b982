package import ReplicaModel
package import StoreBasics
package import StoreCrypto

/// An invitation that was made, with the code that it is used by.
package struct NewReplicaInvitation: ~Copyable, Sendable {
    package let expiresAt: Timestamp
    private let code: SecretBytes

    init(expiresAt: Timestamp, code: consuming SecretBytes) {
        self.expiresAt = expiresAt
        self.code = code
    }

    /// In printable ASCII, 39 bytes; it cannot be had again.
    package consuming func takeCode() -> SecretBytes { code }
}

extension StoreEngine {
    /// How long an invitation may be good for.
    package static let replicaInvitationSeconds: ClosedRange<UInt64> = 60...604_800

    /// Makes a group of which this store is the first device.
    ///
    /// - Returns: the number of this device.
    /// - Throws: `.alreadyExists` where the store belongs to a group, why the store is not open.
    package func createReplicaGroup(
        deviceName: ReplicaDeviceName, selection: ReplicaSelection
    ) throws(StoreError) -> UInt64 {
        try device(perform(.create(deviceName: deviceName, selection)))
    }

    /// Makes a code with which another store joins the group, once.
    ///
    /// - Throws: `.replicaGroupAbsent`, `.replicaDeviceChanged`, `.invalidArgument` for another time than
    ///   `replicaInvitationSeconds`.
    package func inviteReplicaDevice(validForSeconds seconds: UInt64) throws(StoreError) -> NewReplicaInvitation {
        guard Self.replicaInvitationSeconds.contains(seconds) else {
            let (least, most) = (Self.replicaInvitationSeconds.lowerBound, Self.replicaInvitationSeconds.upperBound)
            throw .invalidArgument("an invitation is valid for \(least) to \(most) seconds, not for \(seconds)")
        }
        let code = try mappedKeys(RecoveryCode.generate())
        let copy = try mappedKeys(
            code.withUnsafeBytes { (bytes) throws(CryptoError) in try SecretBytes(copying: bytes) })
        let work = ReplicaWork.invite(
            ReplicaInvitationCode(copy), validForMicroseconds: Int64(seconds) * 1_000_000)
        guard case .invited(let expiresAt) = try perform(work) else {
            throw StoreError(.internal, "an invitation was created without an expiry time")
        }
        return NewReplicaInvitation(expiresAt: expiresAt, code: code)
    }

    /// Asks to be let into the group that a code was made for. What the store holds is merged with what the group
    /// holds.
    ///
    /// - Returns: the number of this device.
    /// - Throws: `.invalidArgument` for a mistyped code, `.alreadyExists` where the store belongs to a group.
    package func joinReplicaGroup(
        code: consuming SecretBytes, deviceName: ReplicaDeviceName
    ) throws(StoreError) -> UInt64 {
        // Before any work is done for it.
        _ = try mappedKeys(InvitationKey(code: code))
        return try device(perform(.join(ReplicaInvitationCode(code), deviceName: deviceName)))
    }

    /// Removes another device from the group.
    ///
    /// - Throws: `.replicaDeviceNotFound`, `.replicaGroupAbsent`, `.replicaDeviceChanged`.
    package func removeReplicaDevice(_ device: UInt64) throws(StoreError) {
        _ = try perform(.removeDevice(device))
    }

    /// The store keeps what it holds, and forgets the group with all of its keys.
    ///
    /// - Throws: `.replicaGroupAbsent`.
    package func leaveReplicaGroup() throws(StoreError) {
        _ = try perform(.leave)
    }

    /// Carries work of the group out and waits for it.
    private func perform(_ work: ReplicaWork) throws(StoreError) -> ReplicaResult {
        let outcome = OneShot<Result<MutationResult, StoreError>>()
        submit(WriteRequest(.replica(work))) { outcome.set($0) }
        switch outcome.wait() {
        case .success(.replica(let result)): return result
        case .success:
            throw StoreError(.internal, "the store answered a group request with the result of another request")
        case .failure(let error): throw error
        }
    }

    private func device(_ result: ReplicaResult) throws(StoreError) -> UInt64 {
        guard case .device(let device) = result else {
            throw StoreError(.internal, "a group was created without its first device")
        }
        return device
    }
}
