import JSON
import Script

/// The members of a JSON object, lent to a program: each becomes a value when somebody asks for it.
struct JSONMembers: LentMembers {
    let object: JSONObject

    func fill(_ lent: LentObject) {
        for (number, member) in object.members.enumerated() {
            let key = lent.realm.key(member.key)
            switch member.value {
            // What costs nothing is made at once.
            case .null, .bool, .integer: lent.give(key, lent.realm.value(member.value))
            default: lent.lend(key, number)
            }
        }
    }

    func value(of number: Int, in realm: Realm) -> Value {
        object.members.indices.contains(number) ? realm.value(object.members[number].value) : .undefined
    }
}

extension Realm {
    /// A value of JSON as a program sees it. Objects in it are made when somebody looks at them.
    func value(_ json: JSONValue) -> Value {
        switch json {
        case .null: .null
        case .bool(let boolean): .boolean(boolean)
        case .integer(let integer): .number(Double(integer))
        case .double(let number): .number(number)
        case .largeInteger: .number(json.number ?? .nan)
        case .string(let string): value(string)
        case .array(let elements): .object(array(ContiguousArray(elements.map { value($0) })))
        case .object(let object): .object(LentObject(self, JSONMembers(object: object)))
        }
    }
}
