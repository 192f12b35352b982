package import StoreBasics

/// Where secrets are in serialized requests and responses.
///
/// A secret must not pass through protobuf types: they keep bytes in `Data`, which cannot be wiped. So whoever sends
/// one serializes a message with zero bytes in its place, finds that place here, copies the secret in and wipes it
/// after the write; whoever receives one finds its place here, copies it out, overwrites it with zeros and only then
/// lets protobuf parse the message.
package enum SecretWire {
    /// What a secret is for.
    package enum Role: Hashable, Sendable, CaseIterable {
        /// `Secret.value` of what opens a slot now.
        case secret
        /// `Secret.value` of what a slot shall be opened with.
        case newSecret
        /// A recovery code in a response, or the code of an invitation, which has its form.
        case recoveryCode
    }

    /// One secret's place: field numbers from the envelope inwards, the last one holding the bytes.
    struct Path: Hashable, Sendable {
        let fields: [UInt32]
        let role: Role

        init(_ call: CallKind, _ fields: UInt32..., role: Role) {
            self.fields = [call.rawValue] + fields
            self.role = role
        }
    }

    package struct Place: Hashable, Sendable {
        package let role: Role
        /// Where the bytes are, counted from the start of the payload.
        package let range: Range<Int>
    }

    /// Most places of one message that are looked for; v1 messages have two at most.
    static let placesMax = 8

    /// By field number.
    private static let carriesSecrets: [Bool] = {
        let calls = requestPaths.map { Int($0.fields[0]) }
        return (0...(calls.max() ?? 0)).map(calls.contains)
    }()

    /// True when a call of this field number may carry secrets.
    package static func mayCarrySecrets(call number: UInt32) -> Bool {
        number < carriesSecrets.count && carriesSecrets[Int(number)]
    }

    /// The secrets' places in a serialized Request, in order. Every occurrence is given, also of fields that occur
    /// more than once.
    ///
    /// - Throws: `ProtobufFault` when the payload cannot be walked or has more places than any message of v1. What it
    ///   holds may then be a secret as a whole.
    package static func places(inRequest payload: UnsafeRawBufferPointer) throws(ProtobufFault) -> [Place] {
        try places(in: payload, paths: requestPaths)
    }

    /// The same for a serialized Response.
    package static func places(inResponse payload: UnsafeRawBufferPointer) throws(ProtobufFault) -> [Place] {
        try places(in: payload, paths: responsePaths)
    }

    private static func places(
        in payload: UnsafeRawBufferPointer, paths: [Path]
    ) throws(ProtobufFault) -> [Place] {
        var found: [Place] = []
        try collect(payload, range: 0..<payload.count, depth: 0, paths: paths[...], into: &found)
        return found
    }

    /// The depth is bounded by the longest path.
    private static func collect(
        _ payload: UnsafeRawBufferPointer, range: Range<Int>, depth: Int, paths: ArraySlice<Path>,
        into found: inout [Place]
    ) throws(ProtobufFault) {
        var reader = ProtobufReader(payload, range: range)
        while let field = try reader.next() {
            guard case .bytes(let content) = field.value else { continue }
            let matching = paths.filter { $0.fields.count > depth && $0.fields[depth] == field.number }
            guard let first = matching.first else { continue }
            if first.fields.count == depth + 1 {
                guard found.count < placesMax else { throw ProtobufFault() }
                found.append(Place(role: first.role, range: content))
            } else {
                try collect(payload, range: content, depth: depth + 1, paths: matching[...], into: &found)
            }
        }
    }
}
