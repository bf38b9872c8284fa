import Blueprint
import Project
import Script

extension ScriptArray {
    /// Its elements, with what getters give.
    func values() throws(Thrown) -> [ProgramValue] {
        if isPlain { return elements.map { $0.isAbsent ? .undefined : $0 } }
        var values: [ProgramValue] = []
        for index in 0..<length {
            try realm.spend()
            values.append(try get(realm.key(index: Double(index))))
        }
        return values
    }
}

extension ScriptObject {
    /// What `Object.keys` gives.
    func enumerableKeys() throws(Thrown) -> [PropertyKey] {
        var keys: [PropertyKey] = []
        for key in try ownKeys() where !key.isSymbol {
            try realm.spend()
            if try ownProperty(key)?.isEnumerable == true { keys.append(key) }
        }
        return keys
    }
}
