package import StoreBasics

// The encoding of records about the group itself.

extension MemberRecord: FieldMessage {
    package init() {
        self.init(device: 0, signingKey: [], receivingKey: [], name: "")
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &device)
        try form.field(2, &signingKey)
        try form.field(3, &receivingKey)
        try form.field(4, &name)
        try form.expect(
            signingKey.count == Self.keyBytes && receivingKey.count == Self.keyBytes
                && 1...Self.nameBytesMax ~= name.utf8.count)
    }
}

extension MemberRemovalRecord: FieldMessage {
    package init() {
        self.init(device: 0, throughSequence: 0)
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &device)
        try form.field(2, &throughSequence)
    }
}

extension EpochRecord: FieldMessage {
    package init() {
        self.init(id: EpochID(number: 0, maker: 0), grants: [])
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &id.number)
        try form.field(2, &id.maker)
        try form.field(3, &grants)
    }
}

extension EpochRecord.Grant: FieldMessage {
    package init() {
        self.init(device: 0, sealedKey: [])
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &device)
        try form.field(2, &sealedKey)
        try form.expect(sealedKey.count == EpochRecord.sealedKeyBytes)
    }
}

extension TimeRecord: FieldMessage {
    package init() {
        self.init(time: 0, isSynchronized: false)
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &time)
        try form.field(2, &isSynchronized)
    }
}
