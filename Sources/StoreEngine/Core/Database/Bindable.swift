import SQLCipher
import StoreBasics

/// A value that can be bound to one parameter of a statement, or to several consecutive ones.
protocol Bindable {
    /// Binds the parameters from `index` on, and advances `index` past them.
    func bind(to statement: Statement, _ index: inout Int)
}

extension Int64: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        statement.bind(index, self)
        index += 1
    }
}

extension Int: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        Int64(self).bind(to: statement, &index)
    }
}

extension UInt32: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        Int64(self).bind(to: statement, &index)
    }
}

/// Binds a number above `Int64.max` as `Int64.max`, because SQLite has no greater integers. `Int64.max` is greater than
/// all numbers that the store contains.
extension UInt64: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        Int64(clamping: self).bind(to: statement, &index)
    }
}

extension Bool: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        Int64(self ? 1 : 0).bind(to: statement, &index)
    }
}

extension String: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        statement.bind(index, self)
        index += 1
    }
}

extension [UInt8]: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        statement.bind(index, self)
        index += 1
    }
}

extension Timestamp: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        microseconds.bind(to: statement, &index)
    }
}

extension HistoryID: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        bytes.bind(to: statement, &index)
    }
}

extension Name: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        text.bind(to: statement, &index)
    }
}

/// The number of a device. It is a hash, all bits of which are stored. A plain `UInt64` would be clamped, which changes
/// half of all hashes.
struct DeviceColumn: Bindable {
    private let bits: Int64

    init(_ device: UInt64) {
        bits = Int64(bitPattern: device)
    }

    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        bits.bind(to: statement, &index)
    }
}

/// The bytes of a secret, bound without a copy in Swift. Only SQLCipher copies them, and it wipes memory that it frees.
/// Must not outlive the buffer.
struct SecretColumn: Bindable {
    let bytes: UnsafeRawBufferPointer

    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        statement.bind(index, bytes)
        index += 1
    }
}

/// Binds `nil` as NULL. Only for values of a single parameter.
extension Optional: Bindable where Wrapped: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        switch self {
        case .some(let value):
            value.bind(to: statement, &index)
        case .none:
            statement.bindNull(index)
            index += 1
        }
    }
}
