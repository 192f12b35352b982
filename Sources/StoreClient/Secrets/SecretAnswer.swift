import StoreProtocol

/// Takes a recovery code out of a serialized Response before anything copies it.
enum SecretAnswer {
    /// Moves the code into locked memory and leaves zeros in its place.
    /// - Returns: `nil` when the answer holds none.
    static func take(from payload: UnsafeMutableRawBufferPointer) throws(StoreClientError) -> LockedBytesBox? {
        let places: [SecretWire.Place]
        do throws(ProtobufFault) {
            places = try SecretWire.places(inResponse: UnsafeRawBufferPointer(payload))
        } catch {
            LockedBytes.wipe(payload)
            throw .answerUnreadable("the daemon sent what is not a response")
        }
        var box: LockedBytesBox?
        for place in places where !place.range.isEmpty {
            let code = UnsafeMutableRawBufferPointer(rebasing: payload[place.range])
            defer { LockedBytes.wipe(code) }
            box = LockedBytesBox(try LockedBytes(copying: UnsafeRawBufferPointer(code)))
        }
        return box
    }
}
