import JSON

// The shape of a table as it lies in the database: JSON with short names.

extension TableShape {
    var stored: [UInt8] {
        var object = JSONObject([
            ("name", .string(name)), ("key", key.stored),
            ("definitions", .array(definitions.map { [.string($0.name), .string($0.kind.rawValue)] })),
            ("indexes", .array(indexes.map(\.stored))), ("lastIndex", .integer(lastIndex)),
            ("created", .integer(created)), ("identifier", .string(identifier)),
            ("protected", .bool(isProtected)), ("tellsBilling", .bool(tellsBilling)),
            ("tags", .array(tags.map { [.string($0.key), .string($0.value)] })),
        ])
        if let throughput { object.set("throughput", to: throughput.stored) }
        if let expiry { object.set("expiry", to: .string(expiry)) }
        if let stream { object.set("stream", to: stream.stored) }
        if let latestStream { object.set("latestStream", to: .string(latestStream)) }
        if let tableClass { object.set("class", to: .string(tableClass)) }
        return JSONWriter.bytes(of: .object(object))
    }

    /// Nil: the bytes are no shape.
    init?(stored bytes: [UInt8]) {
        guard let json = try? JSONReader.value(of: bytes), let name = json["name"]?.string,
            let key = KeySchema(stored: json["key"]), let definitions = json["definitions"]?.array,
            let indexes = json["indexes"]?.array
        else { return nil }
        self.init(name, key, definitions: definitions.compactMap { KeyAttribute(stored: $0) })
        let shapes = indexes.compactMap { IndexShape(stored: $0) }
        guard shapes.count == indexes.count else { return nil }
        locals = shapes.filter(\.isLocal)
        globals = shapes.filter { !$0.isLocal }
        lastIndex = json["lastIndex"]?.integer ?? 0
        created = json["created"]?.integer ?? 0
        identifier = json["identifier"]?.string ?? ""
        isProtected = json["protected"]?.bool ?? false
        tellsBilling = json["tellsBilling"]?.bool ?? true
        tags = (json["tags"]?.array ?? []).compactMap { pair in
            pair[0]?.string.flatMap { key in pair[1]?.string.map { Tag(key: key, value: $0) } }
        }
        throughput = Throughput(stored: json["throughput"])
        expiry = json["expiry"]?.string
        stream = StreamShape(stored: json["stream"])
        latestStream = json["latestStream"]?.string
        tableClass = json["class"]?.string
    }
}

extension KeyAttribute {
    fileprivate var stored: JSONValue { [.string(name), .string(kind.rawValue)] }

    fileprivate init?(stored json: JSONValue?) {
        guard let name = json?[0]?.string, let kind = json?[1]?.string.flatMap({ ItemValue.Kind(rawValue: $0) }) else {
            return nil
        }
        self.init(name, kind)
    }
}

extension KeySchema {
    /// Two attributes at most, or two lists of them.
    var stored: JSONValue {
        guard isComposite else { return .array(attributes.map(\.stored)) }
        return ["hash": .array(partitions.map(\.stored)), "range": .array(sorts.map(\.stored))]
    }

    init?(stored json: JSONValue?) {
        if let partitions = json?["hash"]?.array, let sorts = json?["range"]?.array {
            let read = (
                partitions.compactMap { KeyAttribute(stored: $0) }, sorts.compactMap { KeyAttribute(stored: $0) }
            )
            guard read.0.count == partitions.count, read.1.count == sorts.count else { return nil }
            self.init(partitions: read.0, sorts: read.1)
            return
        }
        guard let partition = KeyAttribute(stored: json?[0]) else { return nil }
        self.init(partition, KeyAttribute(stored: json?[1]))
    }
}

extension Throughput {
    fileprivate var stored: JSONValue { [.integer(reads), .integer(writes)] }

    fileprivate init?(stored json: JSONValue?) {
        guard let reads = json?[0]?.integer, let writes = json?[1]?.integer else { return nil }
        self.init(reads: reads, writes: writes)
    }
}

extension StreamShape {
    fileprivate var stored: JSONValue { [.integer(number), .string(view.rawValue), .string(label)] }

    fileprivate init?(stored json: JSONValue?) {
        guard let number = json?[0]?.integer, let view = json?[1]?.string.flatMap({ StreamView(rawValue: $0) }),
            let label = json?[2]?.string
        else { return nil }
        self.init(number: number, view: view, label: label)
    }
}

extension IndexShape {
    fileprivate var stored: JSONValue {
        var object = JSONObject([
            ("name", .string(name)), ("number", .integer(number)), ("key", key.stored),
            ("projection", .string(projection.name)), ("local", .bool(isLocal)), ("filled", .bool(isFilled)),
        ])
        if case .include(let names) = projection {
            object.set("include", to: .array(names.map { .string($0) }))
        }
        if let throughput { object.set("throughput", to: throughput.stored) }
        return .object(object)
    }

    fileprivate init?(stored json: JSONValue) {
        guard let name = json["name"]?.string, let number = json["number"]?.integer,
            let key = KeySchema(stored: json["key"])
        else { return nil }
        let projection: IndexProjection =
            switch json["projection"]?.string {
            case "KEYS_ONLY": .keysOnly
            case "INCLUDE": .include((json["include"]?.array ?? []).compactMap(\.string))
            default: .all
            }
        self.init(name, number: number, key, projection, isLocal: json["local"]?.bool ?? false)
        isFilled = json["filled"]?.bool ?? true
        throughput = Throughput(stored: json["throughput"])
    }
}
