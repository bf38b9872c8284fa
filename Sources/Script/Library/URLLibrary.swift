/// An object `URL`.
final class AddressObject: ScriptObject {
    var record: AddressRecord
    private(set) var parameters: ParametersObject?

    init(_ realm: Realm, _ record: AddressRecord, prototype: ScriptObject) {
        self.record = record
        super.init(realm, prototype: prototype)
    }

    override var className: String { "URL" }

    override func clear() {
        super.clear()
        parameters = nil
    }

    /// The one object that its query is seen through.
    func searchParameters() -> ParametersObject {
        if let parameters { return parameters }
        let made = ParametersObject(realm, prototype: realm.prototype(.urlSearchParams))
        made.pairs = FormCoding.read(Array((record.query ?? "").utf16))
        made.owner = self
        parameters = made
        return made
    }

    func change(_ record: AddressRecord) {
        self.record = record
        parameters?.pairs = FormCoding.read(Array((record.query ?? "").utf16))
    }
}

extension NativeClass {
    static let url = NativeClass(
        name: "URL", length: 1,
        statics: [
            .method("canParse", length: 1) { call throws(Thrown) in .boolean(try URLLibrary.parse(call) != nil) }
        ],
        properties: URLLibrary.properties
    ) { call throws(Thrown) in
        let newTarget = try call.requireNew("URL")
        guard let record = try URLLibrary.parse(call) else {
            let error = ErrorObject(
                call.realm, call.realm.text("Invalid URL"), prototype: call.realm.prototype(.typeError))
            error.put("code", call.realm.value("ERR_INVALID_URL"))
            error.put("input", .text(try call.text(0)))
            throw .value(.object(error))
        }
        return .object(AddressObject(call.realm, record, prototype: try call.realm.prototype(from: newTarget, .url)))
    }
}

/// `URL`
enum URLLibrary {
    static func parse(_ call: NativeCall) throws(Thrown) -> AddressRecord? {
        if call.count == 0 { throw call.realm.typeError("The \"url\" argument must be specified") }
        var base: AddressRecord?
        if !call[1].isUndefined {
            guard let known = AddressParser.parse(try call.text(1).units) else { return nil }
            base = known
        }
        return AddressParser.parse(try call.text(0).units, base: base)
    }

    private static func address(_ call: NativeCall) throws(Thrown) -> AddressObject {
        try call.this(as: AddressObject.self, "URL.prototype")
    }

    private static func part(
        _ name: String, get: @escaping @Sendable (AddressRecord) -> String,
        set: @escaping @Sendable (AddressRecord, [UInt16]) -> AddressRecord?
    ) -> NativeProperty {
        .accessor(
            name, get: { call throws(Thrown) in call.realm.value(get(try address(call).record)) },
            set: { call throws(Thrown) in
                let object = try address(call)
                if let changed = set(object.record, try call.text(0).units) { object.change(changed) }
                return .undefined
            })
    }

    private static func encode(_ text: [UInt16], _ set: Set<UInt8>) -> String {
        AddressEscapes.encode(String(decoding: text, as: UTF16.self).unicodeScalars, set)
    }

    static let properties: [NativeProperty] = [
        .accessor(
            "href", get: { call throws(Thrown) in call.realm.value(try address(call).record.text) },
            set: { call throws(Thrown) in
                let object = try address(call)
                guard let record = AddressParser.parse(try call.text(0).units) else {
                    throw call.realm.typeError("Invalid URL")
                }
                object.change(record)
                return .undefined
            }),
        .getter("origin") { call throws(Thrown) in call.realm.value(try address(call).record.origin) },
        part("protocol", get: { $0.scheme + ":" }, set: setScheme),
        part("username", get: { $0.username }) { record, text in
            if record.cannotHaveCredentials { return nil }
            var record = record
            record.username = encode(text, AddressEscapes.userInformation)
            return record
        },
        part("password", get: { $0.password }) { record, text in
            if record.cannotHaveCredentials { return nil }
            var record = record
            record.password = encode(text, AddressEscapes.userInformation)
            return record
        },
        part("host", get: { $0.hostAndPort }) { AddressParser.withHost($1, of: $0, changesPort: true) },
        part("hostname", get: { $0.host ?? "" }) { AddressParser.withHost($1, of: $0, changesPort: false) },
        part("port", get: { $0.port.map { "\($0)" } ?? "" }) { record, text in
            record.cannotHaveCredentials ? nil : AddressParser.withPort(text, of: record)
        },
        part("pathname", get: { $0.pathname }) { record, text in
            record.opaquePath == nil ? AddressParser.withPath(text, of: record) : nil
        },
        part("search", get: { ($0.query ?? "").isEmpty ? "" : "?" + ($0.query ?? "") }) { record, text in
            var record = record
            let query = text.first == 0x3F ? Array(text.dropFirst()) : text
            record.query =
                text.isEmpty
                ? nil : encode(query, record.isSpecial ? AddressEscapes.specialQuery : AddressEscapes.query)
            return record
        },
        .getter("searchParams") { call throws(Thrown) in .object(try address(call).searchParameters()) },
        part("hash", get: { ($0.fragment ?? "").isEmpty ? "" : "#" + ($0.fragment ?? "") }) { record, text in
            var record = record
            let fragment = text.first == 0x23 ? Array(text.dropFirst()) : text
            record.fragment = text.isEmpty ? nil : encode(fragment, AddressEscapes.fragment)
            return record
        },
        .method("toString", length: 0) { call throws(Thrown) in call.realm.value(try address(call).record.text) },
        .method("toJSON", length: 0) { call throws(Thrown) in call.realm.value(try address(call).record.text) },
        .tag("URL"),
    ]

    /// Special addresses stay special, others stay others.
    private static func setScheme(_ record: AddressRecord, _ text: [UInt16]) -> AddressRecord? {
        let name = Array(text.prefix { $0 != 0x3A })
        guard let scheme = AddressParser.parse(name + Array("://a".utf16))?.scheme,
            AddressRecord.isSpecial(scheme) == record.isSpecial,
            scheme != "file" || !(record.hasCredentials || record.port != nil),
            record.scheme != "file" || record.host != ""
        else { return nil }
        var record = record
        record.scheme = scheme
        if record.port == AddressRecord.defaultPort(of: scheme) { record.port = nil }
        return record
    }
}
