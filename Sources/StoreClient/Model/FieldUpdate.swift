/// A change of a field that may be absent.
public enum FieldUpdate<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Leaves the field as it is.
    case keep
    /// Sets the field. An empty value is the same as `.remove`.
    case set(Value)
    /// Removes the value.
    case remove
}

extension FieldUpdate {
    /// Returns the value of the field in a request: `nil` to keep the field, and the empty value to remove it.
    func wireValue(removed empty: Value) -> Value? {
        switch self {
        case .keep: nil
        case .set(let value): value
        case .remove: empty
        }
    }
}
