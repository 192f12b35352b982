package import ReplicaModel
package import StoreBasics
package import StoreCrypto

/// An invitation that was just created, with the code for the device that joins.
package struct NewReplicaInvitation: ~Copyable, Sendable {
    package let expiresAt: Timestamp
    private let code: SecretBytes

    init(expiresAt: Timestamp, code: consuming SecretBytes) {
        self.expiresAt = expiresAt
        self.code = code
    }

    /// Returns the code in printable ASCII, 39 bytes. It cannot be read again later.
    package consuming func takeCode() -> SecretBytes { code }
}

extension StoreEngine {
    /// The time for which an invitation may be valid: one minute to seven days.
    package static let replicaInvitationSeconds: ClosedRange<UInt64> = 60...604_800

    /// Creates a group of which this store is the first device.
    ///
    /// - Returns: The number of this device.
    /// - Throws: `.alreadyExists` if the store belongs to a group; the reason if the store is not open.
    package func createReplicaGroup(
        deviceName: ReplicaDeviceName, selection: ReplicaSelection
    ) throws(StoreError) -> UInt64 {
        try device(perform(.create(deviceName: deviceName, selection)))
    }

    /// Creates a code with which one other store can join the group, once.
    ///
    /// - Throws: `.replicaGroupAbsent`, `.replicaDeviceChanged`, `.invalidArgument` for a time outside
    ///   `replicaInvitationSeconds`.
    package func inviteReplicaDevice(validForSeconds seconds: UInt64) throws(StoreError) -> NewReplicaInvitation {
        guard Self.replicaInvitationSeconds.contains(seconds) else {
            let (least, most) = (Self.replicaInvitationSeconds.lowerBound, Self.replicaInvitationSeconds.upperBound)
            throw .invalidArgument(
                "an invitation cannot be valid for \(seconds) seconds; choose \(least) to \(most) seconds")
        }
        let code = try mappedKeys(RecoveryCode.generate())
        let copy = try mappedKeys(
            code.withUnsafeBytes { (bytes) throws(CryptoError) in try SecretBytes(copying: bytes) })
        let work = ReplicaWork.invite(
            ReplicaInvitationCode(copy), validForMicroseconds: Int64(seconds) * 1_000_000)
        guard case .invited(let expiresAt) = try perform(work) else {
            throw .fault("an invitation was created without an expiry time")
        }
        return NewReplicaInvitation(expiresAt: expiresAt, code: code)
    }

    /// Asks for admission to the group whose code was given. The contents of the store and of the group are then
    /// merged.
    ///
    /// - Returns: The number of this device.
    /// - Throws: `.invalidArgument` for a mistyped code, `.alreadyExists` if the store belongs to a group.
    package func joinReplicaGroup(
        code: consuming SecretBytes, deviceName: ReplicaDeviceName
    ) throws(StoreError) -> UInt64 {
        // The code is checked before any work is done for it.
        _ = try mappedKeys(InvitationKey(code: code))
        return try device(perform(.join(ReplicaInvitationCode(code), deviceName: deviceName)))
    }

    /// Removes another device from the group.
    ///
    /// - Throws: `.replicaDeviceNotFound`, `.replicaGroupAbsent`, `.replicaDeviceChanged`.
    package func removeReplicaDevice(_ device: UInt64) throws(StoreError) {
        _ = try perform(.removeDevice(device))
    }

    /// Leaves the group. The store keeps its content, and deletes everything about the group, including its keys.
    ///
    /// - Throws: `.replicaGroupAbsent`.
    package func leaveReplicaGroup() throws(StoreError) {
        _ = try perform(.leave)
    }

    /// Deletes a lost edit, if it exists.
    package func dismissLostEdit(_ id: UInt64) throws(StoreError) {
        _ = try perform(.dismissLostEdit(id))
    }

    /// Performs work for the group and waits for its result.
    private func perform(_ work: ReplicaWork) throws(StoreError) -> ReplicaResult {
        let outcome = OneShot<Result<MutationResult, StoreError>>()
        submit(WriteRequest(.replica(work))) { outcome.set($0) }
        switch outcome.wait() {
        case .success(.replica(let result)): return result
        case .success:
            throw .fault("the store answered a group request with the result of another request")
        case .failure(let error): throw error
        }
    }

    private func device(_ result: ReplicaResult) throws(StoreError) -> UInt64 {
        guard case .device(let device) = result else { throw .fault("a group was created without its first device") }
        return device
    }
}
