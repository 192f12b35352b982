import Testing

/// `#require` for the result of a mutating call.
func unwrap<Value>(_ value: Value?) throws -> Value {
    try #require(value)
}
