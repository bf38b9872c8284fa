extension NativeClass {
    /// `Map`
    static let map = NativeClass(
        name: "Map", length: 0,
        statics: [
            .method("groupBy", length: 2) { call throws(Thrown) in
                let realm = call.realm
                let map = CollectionObject(realm, .map, prototype: realm.prototype(.map))
                try call.group { (key, value) throws(Thrown) in
                    try realm.need(key, "as a key")
                    if case .object(let list) = map.value(of: key), let list = list as? ScriptArray {
                        try list.append(value)
                    } else {
                        try map.set(key, .object(realm.array([value])))
                    }
                }
                return .object(map)
            },
            .species,
        ],
        properties: [
            .method("get", length: 1) { call throws(Thrown) in
                try call.collection(.map, "get").value(of: try call.entryKey()) ?? .undefined
            },
            .method("set", length: 2) { call throws(Thrown) in
                try call.collection(.map, "set").set(try call.entryKey(), call[1])
                return call.this
            },
            .method("has", length: 1) { call throws(Thrown) in
                .boolean(try call.collection(.map, "has").value(of: try call.entryKey()) != nil)
            },
            .method("delete", length: 1) { call throws(Thrown) in
                .boolean(try call.collection(.map, "delete").remove(try call.entryKey()))
            },
            .method("clear", length: 0) { call throws(Thrown) in
                try call.collection(.map, "clear").removeAll()
                return .undefined
            },
            .method("entries", length: 0) { call throws(Thrown) in
                .object(CollectionIterator(try call.collection(.map, "entries"), .entries))
            },
            .method("forEach", length: 1) { call throws(Thrown) in try call.forEach(.map) },
            .method("keys", length: 0) { call throws(Thrown) in
                .object(CollectionIterator(try call.collection(.map, "keys"), .keys))
            },
            .getter("size") { call throws(Thrown) in
                .number(Double(try call.collection(.map, "size", isGetter: true).count))
            },
            .method("values", length: 0) { call throws(Thrown) in
                .object(CollectionIterator(try call.collection(.map, "values"), .values))
            },
            .alias(.iterator, of: "entries"),
            .tag("Map"),
        ]
    ) { call throws(Thrown) in
        let realm = call.realm
        let newTarget = try call.requireNew("Map")
        let map = CollectionObject(realm, .map, prototype: try realm.prototype(from: newTarget, .map))
        guard !call[0].isNullish else { return .object(map) }
        let adder = try map.get("set")
        guard case .object(let adder) = adder, adder.isCallable else {
            throw realm.typeError(
                "'\(realm.describe(adder))' returned for property 'set' of object '#<Map>' is not a function")
        }
        try realm.iterate(call[0]) { (entry) throws(Thrown) in
            guard case .object(let pair) = entry else {
                throw realm.typeError("Iterator value \(realm.describe(entry)) is not an entry object")
            }
            let key = try pair.get(index: 0)
            _ = try realm.call(adder, this: .object(map), [key, try pair.get(index: 1)])
        }
        return .object(map)
    }

    static let mapIterator = NativeClass(
        name: "Map Iterator", prototypeParent: .iterator, hasConstructor: false,
        properties: [
            .method("next", length: 0) { call throws(Thrown) in try call.nextOfCollection(isMap: true) },
            .tag("Map Iterator"),
        ])

    /// `Set`
    static let set = NativeClass(
        name: "Set", length: 0, statics: [.species],
        properties: [
            .method("has", length: 1) { call throws(Thrown) in
                .boolean(try call.collection(.set, "has").value(of: try call.entryKey()) != nil)
            },
            .method("add", length: 1) { call throws(Thrown) in
                try call.collection(.set, "add").set(try call.entryKey(), .undefined)
                return call.this
            },
            .method("delete", length: 1) { call throws(Thrown) in
                .boolean(try call.collection(.set, "delete").remove(try call.entryKey()))
            },
            .method("clear", length: 0) { call throws(Thrown) in
                try call.collection(.set, "clear").removeAll()
                return .undefined
            },
            .method("entries", length: 0) { call throws(Thrown) in
                .object(CollectionIterator(try call.collection(.set, "entries"), .entries))
            },
            .method("forEach", length: 1) { call throws(Thrown) in try call.forEach(.set) },
            .getter("size") { call throws(Thrown) in
                .number(Double(try call.collection(.set, "size", isGetter: true).count))
            },
            .method("values", length: 0) { call throws(Thrown) in
                .object(CollectionIterator(try call.collection(.set, "values"), .values))
            },
            .alias("keys", of: "values"),
            .alias(.iterator, of: "values"),
            .tag("Set"),
        ]
    ) { call throws(Thrown) in
        let realm = call.realm
        let newTarget = try call.requireNew("Set")
        let set = CollectionObject(realm, .set, prototype: try realm.prototype(from: newTarget, .set))
        guard !call[0].isNullish else { return .object(set) }
        let adder = try set.get("add")
        guard case .object(let adder) = adder, adder.isCallable else {
            throw realm.typeError(
                "'\(realm.describe(adder))' returned for property 'add' of object '#<Set>' is not a function")
        }
        try realm.iterate(call[0]) { (value) throws(Thrown) in
            _ = try realm.call(adder, this: .object(set), [value])
        }
        return .object(set)
    }

    static let setIterator = NativeClass(
        name: "Set Iterator", prototypeParent: .iterator, hasConstructor: false,
        properties: [
            .method("next", length: 0) { call throws(Thrown) in try call.nextOfCollection(isMap: false) },
            .tag("Set Iterator"),
        ])
}

extension NativeCall {
    fileprivate func collection(
        _ kind: CollectionObject.Kind, _ method: String, isGetter: Bool = false
    ) throws(Thrown) -> CollectionObject {
        guard case .object(let object) = this, let own = object as? CollectionObject, own.kind == kind else {
            throw realm.typeError(
                "Method \(isGetter ? "get " : "")\(kind.rawValue).prototype.\(method) called on incompatible receiver \(realm.describe(this))"
            )
        }
        return own
    }

    /// The key of an entry, which is compared with others: no value that may be anything.
    fileprivate func entryKey() throws(Thrown) -> Value {
        try realm.need(self[0], "as a key")
        return self[0]
    }

    fileprivate func forEach(_ kind: CollectionObject.Kind) throws(Thrown) -> Value {
        let collection = try collection(kind, "forEach")
        let callback = try describedFunction(0)
        var cursor = ValueTable.Cursor()
        while let entry = collection.next(&cursor) {
            try realm.spend()
            let value = kind == .map ? entry.value : entry.key
            _ = try realm.call(callback, this: self[1], [value, entry.key, this])
        }
        return .undefined
    }

    fileprivate func nextOfCollection(isMap: Bool) throws(Thrown) -> Value {
        guard case .object(let object) = this, let iterator = object as? CollectionIterator, iterator.isOfMap == isMap
        else {
            throw realm.typeError(
                "Method \(isMap ? "Map" : "Set") Iterator.prototype.next called on incompatible receiver \(realm.describe(this))"
            )
        }
        return iterator.next()
    }
}
