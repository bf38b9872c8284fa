extension StringLibrary {
    /// The methods that a regular expression, or any object that knows how, does for the text. Only objects are asked, as
    /// the language says since 2025: texts and numbers are what is looked for, whatever hangs on their prototypes.
    static let patterns: [NativeProperty] = [
        .method("match", length: 1) { call throws(Thrown) in try delegated(call, "match", .match, flags: nil) },
        .method("matchAll", length: 1) { call throws(Thrown) in
            let realm = call.realm
            try requireText(call, "matchAll")
            if try realm.isRegularExpression(call[0]) { try requireGlobal(call, "matchAll") }
            return try delegated(call, "matchAll", .matchAll, flags: "g")
        },
        .method("search", length: 1) { call throws(Thrown) in try delegated(call, "search", .search, flags: nil) },
        .method("replace", length: 2) { call throws(Thrown) in try replace(call, "replace", all: false) },
        .method("replaceAll", length: 2) { call throws(Thrown) in try replace(call, "replaceAll", all: true) },
        .method("split", length: 2) { call throws(Thrown) in try split(call) },
    ]

    private static func requireText(_ call: NativeCall, _ name: String) throws(Thrown) {
        if call.this.isNullish { throw call.realm.typeError("String.prototype.\(name) called on null or undefined") }
    }

    private static func requireGlobal(_ call: NativeCall, _ name: String) throws(Thrown) {
        guard case .object(let object) = call[0] else { return }
        let flags = try object.get("flags")
        if flags.isNullish {
            throw call.realm.typeError("String.prototype.\(name) called with a non-global RegExp argument")
        }
        guard try call.realm.toText(flags).units.contains(UInt16(ascii: "g")) else {
            throw call.realm.typeError("String.prototype.\(name) called with a non-global RegExp argument")
        }
    }

    /// The argument's own method if it has one, else that of a regular expression made from it.
    private static func delegated(
        _ call: NativeCall, _ name: String, _ symbol: WellKnownSymbol, flags: String?
    ) throws(Thrown) -> Value {
        let realm = call.realm
        try requireText(call, name)
        if call[0].isObject, let method = try realm.method(call[0], .known(symbol)) {
            return try realm.call(method, this: call[0], [call.this])
        }
        let text = try realm.toText(call.this)
        let expression = try realm.makeRegularExpression(call[0], flags.map { realm.value($0) } ?? .undefined)
        return try realm.invoke(.object(expression), .known(symbol), [.text(text)])
    }

    private static func replace(_ call: NativeCall, _ name: String, all: Bool) throws(Thrown) -> Value {
        let realm = call.realm
        try requireText(call, name)
        if call[0].isObject {
            if all, try realm.isRegularExpression(call[0]) { try requireGlobal(call, name) }
            if let method = try realm.method(call[0], .known(.replace)) {
                return try realm.call(method, this: call[0], [call.this, call[1]])
            }
        }
        let text = try realm.toText(call.this)
        let wanted = try call.text(0)
        let replacement: ReplacementTemplate
        if case .object(let function) = call[1], function.isCallable, !function.isOpaque {
            replacement = .function(function)
        } else {
            replacement = .text(try call.text(1).units)
        }
        var places: [Int] = []
        var start = 0
        while start <= text.count, let place = try find(wanted.units, in: text.units, from: start, realm) {
            try realm.spend()
            places.append(place)
            if !all { break }
            start = place + max(wanted.count, 1)
        }
        if places.isEmpty { return .text(text) }
        var units: [UInt16] = []
        var end = 0
        for place in places {
            try realm.spend()
            units += text.units[end..<place]
            let match = ReplacementTemplate.Match(
                matched: wanted, text: text, position: place, captures: [], groups: .undefined)
            units += try replacement.units(for: match, realm)
            try realm.checkText(length: units.count)
            end = place + wanted.count
        }
        units += text.units[end...]
        try realm.spend(units.count >> 5)
        try realm.checkText(length: units.count)
        return realm.value(units)
    }

    private static func split(_ call: NativeCall) throws(Thrown) -> Value {
        let realm = call.realm
        try requireText(call, "split")
        if call[0].isObject, let method = try realm.method(call[0], .known(.split)) {
            return try realm.call(method, this: call[0], [call.this, call[1]])
        }
        let text = try realm.toText(call.this)
        let limit = call[1].isUndefined ? UInt32.max : try realm.toUInt32(call[1])
        let separator = try call.text(0).units
        let parts = realm.array()
        if limit == 0 { return .object(parts) }
        if call[0].isUndefined { return .object(realm.array([.text(text)])) }
        let units = text.units
        if units.isEmpty {
            return .object(separator.isEmpty ? parts : realm.array([.text(text)]))
        }
        if separator.isEmpty {
            for unit in units.prefix(Int(limit)) {
                try realm.spend()
                try parts.append(.text(realm.text(unit: unit)))
            }
            return .object(parts)
        }
        var start = 0
        while let place = try find(separator, in: units, from: start, realm) {
            try realm.spend()
            try parts.append(try part(text, start, place, realm))
            if parts.length >= limit { return .object(parts) }
            start = place + separator.count
        }
        try parts.append(try part(text, start, units.count, realm))
        return .object(parts)
    }
}
