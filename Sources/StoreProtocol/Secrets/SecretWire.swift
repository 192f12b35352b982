package import StoreBasics

/// The positions of secrets in serialized requests and responses.
///
/// A secret must not pass through protobuf types, because they store bytes in `Data`, which cannot be wiped. Therefore
/// a sender serializes a message with zeros in place of the secret, finds the position here, copies the secret in, and
/// wipes it after the write. A receiver finds the position here, copies the secret out, overwrites it with zeros, and
/// only then decodes the message with protobuf.
package enum SecretWire {
    /// The role of a secret in a call.
    package enum Role: Hashable, Sendable, CaseIterable {
        /// `Secret.value` of the secret that opens a slot now.
        case secret
        /// `Secret.value` of the secret that will open a slot.
        case newSecret
        /// A recovery code in a response, or the code of an invitation, which has the same form.
        case recoveryCode
    }

    /// The path to a secret: field numbers from the envelope inwards. The last number is the field with the secret's
    /// bytes.
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
        /// The range of the secret's bytes in the payload.
        package let range: Range<Int>
    }

    /// The most secrets to look for in one message; v1 messages have at most two.
    static let placesMax = 8

    /// True at the field number of each call that may contain secrets.
    private static let carriesSecrets: [Bool] = {
        let calls = requestPaths.map { Int($0.fields[0]) }
        return (0...(calls.max() ?? 0)).map(calls.contains)
    }()

    /// Returns true if a call with this field number may contain secrets.
    package static func mayCarrySecrets(call number: UInt32) -> Bool {
        number < carriesSecrets.count && carriesSecrets[Int(number)]
    }

    /// Returns the positions of all secrets in a serialized Request, in order. All occurrences are returned, even of
    /// fields that occur more than once.
    ///
    /// - Throws: `ProtobufFault` if the payload is not valid protobuf or has more secrets than any message of v1. The
    ///   whole payload may then contain secrets.
    package static func places(inRequest payload: UnsafeRawBufferPointer) throws(ProtobufFault) -> [Place] {
        try places(in: payload, paths: requestPaths)
    }

    /// Returns the positions of all secrets in a serialized Response, like `places(inRequest:)`.
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

    /// Collects positions recursively. The depth is bounded by the longest path.
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
