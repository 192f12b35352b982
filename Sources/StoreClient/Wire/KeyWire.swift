import StoreProtocol

extension KeySlotKind {
    init(_ wire: WireKeySlotKind) {
        switch wire {
        case .passphrase: self = .passphrase
        case .recoveryCode: self = .recoveryCode
        case .keyFile: self = .keyFile
        case .credential: self = .credential
        case .unspecified, .UNRECOGNIZED: self = .unknown
        }
    }
}

extension WireKeySlotKind {
    init(_ kind: KeySlotKind) {
        switch kind {
        case .passphrase: self = .passphrase
        case .recoveryCode: self = .recoveryCode
        case .keyFile: self = .keyFile
        case .credential: self = .credential
        case .unknown: self = .unspecified
        }
    }
}

extension KeySlot {
    init(_ wire: WireKeySlot) {
        self.init(
            number: Int(wire.number), kind: KeySlotKind(wire.kind), label: wire.label,
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds), memoryBytes: wire.memoryBytes,
            passes: Int(wire.passes))
    }
}
