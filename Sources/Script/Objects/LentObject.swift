/// What a host's object is made of, once a program looks at it.
package protocol LentMembers {
    /// Puts the properties, by `lend` or as they are. It is called once, when the first of them is asked for.
    func fill(_ object: LentObject)
    /// The value of a property that was put by its number.
    func value(of number: Int, in realm: Realm) -> Value
}

/// An object that a host lends to a program: its properties are made when somebody looks, and their values too. Whoever
/// gets it back can see whether anybody has, and take what it was made of instead.
package final class LentObject: ScriptObject {
    /// What it was made of; nothing once its realm has ended.
    package private(set) var members: (any LentMembers)?

    package init(_ realm: Realm, _ members: any LentMembers) {
        self.members = members
        super.init(realm, prototype: realm.prototype(.object))
        state.insert(.isPending)
    }

    /// Nobody has looked at its properties.
    package var isUntouched: Bool { state.contains(.isPending) }

    override func prepare() {
        state.remove(.isPending)
        members?.fill(self)
    }

    override func deferredValue(_ key: PropertyKey, _ number: Int) -> Value {
        members?.value(of: number, in: realm) ?? .undefined
    }

    override func clear() {
        super.clear()
        members = nil
    }

    /// Takes the properties of a shape, all of them lent by their numbers.
    package func take(_ shape: LentShape) {
        table = shape.table
        charge(table.count * 32)
    }

    /// A property with its value.
    package func give(_ key: PropertyKey, _ value: Value) { put(key, value) }

    /// A property whose value is made when somebody asks for it.
    package func lend(_ key: PropertyKey, _ number: Int) {
        put(key, .number(Double(number)), Self.attributes(isFixed: false, isHidden: false))
    }

    fileprivate static func attributes(isFixed: Bool, isHidden: Bool) -> PropertyTable.Attributes {
        var attributes: PropertyTable.Attributes = [.writable, .enumerable, .configurable, .deferred]
        if isFixed { attributes.subtract([.writable, .configurable]) }
        if isHidden { attributes.subtract(.enumerable) }
        return attributes
    }
}

/// The properties of lent objects that are all alike, made once for a realm.
package struct LentShape {
    package struct Row: Sendable {
        let name: String
        var isFixed = false
        var isHidden = false

        package init(_ name: String, isFixed: Bool = false, isHidden: Bool = false) {
            self.name = name
            self.isFixed = isFixed
            self.isHidden = isHidden
        }
    }

    fileprivate let table: PropertyTable

    /// The number of a row is its place.
    package init(_ realm: Realm, _ rows: [Row]) {
        var table = PropertyTable()
        for (number, row) in rows.enumerated() {
            table.append(
                realm.key(row.name), .number(Double(number)),
                LentObject.attributes(isFixed: row.isFixed, isHidden: row.isHidden))
        }
        self.table = table
    }
}

/// What an object holds in a property.
package enum HeldValue {
    case value(Value)
    /// The number that it was lent by: nobody has asked for the value.
    case lent(Int)
}

extension ScriptObject {
    /// Goes through the enumerable properties that have names, in their order, for the host. Getters are called.
    package final func eachHeld(
        _ body: (PropertyKey, HeldValue) throws(Thrown) -> Void
    ) throws(Thrown) {
        if state.contains(.isPending) { prepare() }
        if !state.contains(.hasIndices), !state.contains(.isExotic) {
            for property in table.properties where property.attributes.contains(.enumerable) && property.key.isName {
                if property.attributes.contains(.accessor) {
                    try body(property.key, .value(try get(property.key)))
                } else if property.attributes.contains(.deferred), case .number(let number) = property.value {
                    try body(property.key, .lent(Int(number)))
                } else {
                    try body(property.key, .value(property.value))
                }
            }
            return
        }
        for key in try ownKeys() where !key.isSymbol {
            guard let own = try ownProperty(key), own.isEnumerable == true else { continue }
            try body(key, .value(try get(key)))
        }
    }
}

extension Realm {
    /// A key as a text of the host's.
    package func string(of key: PropertyKey) -> String {
        guard let name = key.name else { return describe(key) }
        let index = Int(name.number)
        if index < strings.count, let known = strings[index] { return known }
        let string = names.text(of: name)
        while strings.count <= index { strings.append(nil) }
        strings[index] = string
        return string
    }
}
