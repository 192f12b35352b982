/// The JSON fields of a type, each with a function that returns its value.
struct JSONFields<Item>: Sendable {
    struct Field: Sendable {
        let name: String
        let add: @Sendable (Item, inout JSONObject) -> Void

        static func field<Value: JSONWritable>(
            _ name: String, _ value: @escaping @Sendable (Item) -> Value
        ) -> Field {
            Field(name: name) { $1.add(name, value($0)) }
        }

        /// Returns a field that is omitted if it has no value.
        static func field<Value: JSONWritable>(
            _ name: String, ifPresent value: @escaping @Sendable (Item) -> Value?
        ) -> Field {
            Field(name: name) { $1.add(name, ifPresent: value($0)) }
        }

        /// Returns this field for a type `Outer` that contains an item.
        func within<Outer>(_ part: @escaping @Sendable (Outer) -> Item) -> JSONFields<Outer>.Field {
            JSONFields<Outer>.Field(name: name) { add(part($0), &$1) }
        }
    }

    /// The name of the field that contains the item's name.
    let name: String
    let fields: [Field]

    init(name: String, _ fields: [Field]) {
        (self.name, self.fields) = (name, fields)
    }

    var record: RecordForm { RecordForm(name: name, fields.map(\.name)) }

    func json(_ item: Item) -> JSONObject {
        fields.reduce(into: JSONObject()) { $1.add(item, &$0) }
    }
}

/// A type whose JSON has the same fields in lists and alone.
protocol Described: Named {
    static var description: JSONFields<Self> { get }
}

extension Described {
    var json: JSONObject { Self.description.json(self) }

    static var record: RecordForm { description.record }
}
