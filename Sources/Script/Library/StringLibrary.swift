extension NativeClass {
    static let string = NativeClass(
        name: "String", length: 1,
        makePrototype: { (realm, parent) in
            TextObject(realm, realm.emptyText, prototype: parent ?? realm.prototype(.object))
        },
        statics: StringLibrary.statics, properties: StringLibrary.properties
    ) { call throws(Thrown) in
        let realm = call.realm
        let text: Text
        if call.count == 0 {
            text = realm.emptyText
        } else if call.newTarget == nil, case .symbol = call[0] {
            return realm.value(realm.describe(call[0]))
        } else {
            text = try call.text(0)
        }
        guard let newTarget = call.newTarget else { return .text(text) }
        return .object(TextObject(realm, text, prototype: try realm.prototype(from: newTarget, .string)))
    }

    static let stringIterator = NativeClass(
        name: "String Iterator", prototypeParent: .iterator, hasConstructor: false,
        properties: [
            .method("next", length: 0) { call throws(Thrown) in
                try call.this(as: TextIterator.self, "String Iterator.prototype.next").next()
            },
            .tag("String Iterator"),
        ])
}

/// `String`
enum StringLibrary {
    static let statics: [NativeProperty] = [
        .method("fromCharCode", length: 1) { call throws(Thrown) in
            var units: [UInt16] = []
            for value in call.arguments { units.append(NumberConversion.uint16(try call.realm.toNumber(value))) }
            return call.realm.value(units)
        },
        .method("fromCodePoint", length: 1) { call throws(Thrown) in
            var units: [UInt16] = []
            for value in call.arguments {
                let number = try call.realm.toNumber(value)
                guard let point = UInt32(exactly: number), point <= 0x10FFFF else {
                    throw call.realm.rangeError("Invalid code point \(call.realm.describe(.number(number)))")
                }
                CodePoints.append(point, to: &units)
            }
            return call.realm.value(units)
        },
        .method("raw", length: 1) { call throws(Thrown) in
            let realm = call.realm
            let raw = try realm.toObject(try realm.toObject(call[0]).get("raw"))
            let length = try realm.length(of: raw)
            var units: [UInt16] = []
            var index = 0.0
            while index < length {
                try realm.spend()
                units += try realm.toText(try raw.get(index: index)).units
                index += 1
                if index < length, index < Double(call.count) { units += try call.text(Int(index)).units }
                try realm.checkText(length: units.count)
            }
            return realm.value(units)
        },
    ]

    static let properties: [NativeProperty] = characters + searching + changing + patterns + markup

    // MARK: Characters

    private static let characters: [NativeProperty] = [
        .method("at", length: 1) { call throws(Thrown) in
            let text = try call.thisText("String.prototype.at")
            let relative = try call.integer(0)
            let index = relative < 0 ? Double(text.count) + relative : relative
            guard index >= 0, index < Double(text.count) else { return .undefined }
            return .text(call.realm.text(unit: text[Int(index)]))
        },
        .method("charAt", length: 1) { call throws(Thrown) in
            let text = try call.thisText("String.prototype.charAt")
            let index = try call.integer(0)
            guard index >= 0, index < Double(text.count) else { return .text(call.realm.emptyText) }
            return .text(call.realm.text(unit: text[Int(index)]))
        },
        .method("charCodeAt", length: 1) { call throws(Thrown) in
            let text = try call.thisText("String.prototype.charCodeAt")
            let index = try call.integer(0)
            guard index >= 0, index < Double(text.count) else { return .number(.nan) }
            return .number(Double(text[Int(index)]))
        },
        .method("codePointAt", length: 1) { call throws(Thrown) in
            let text = try call.thisText("String.prototype.codePointAt")
            let index = try call.integer(0)
            guard index >= 0, index < Double(text.count) else { return .undefined }
            return .number(Double(CodePoints.point(in: text.units, at: Int(index)).value))
        },
        .method("toString", length: 0) { call throws(Thrown) in .text(try value(call, "toString")) },
        .method("valueOf", length: 0) { call throws(Thrown) in .text(try value(call, "valueOf")) },
        .method(.iterator, length: 0) { call throws(Thrown) in
            .object(TextIterator(call.realm, try call.thisText("String.prototype[Symbol.iterator]")))
        },
    ]

    private static func value(_ call: NativeCall, _ name: String) throws(Thrown) -> Text {
        if case .text(let text) = call.this { return text }
        if case .object(let object) = call.this, let object = object as? TextObject { return object.text }
        throw call.realm.typeError("String.prototype.\(name) requires that 'this' be a String")
    }

    // MARK: Searching

    private static let searching: [NativeProperty] = [
        .method("endsWith", length: 1) { call throws(Thrown) in
            let text = try call.thisText("String.prototype.endsWith").units
            let wanted = try plainText(call, "endsWith").units
            let end = call[1].isUndefined ? text.count : place(try call.integer(1), in: text.count)
            guard end >= wanted.count else { return .false }
            return .boolean(text[(end - wanted.count)..<end].elementsEqual(wanted))
        },
        .method("includes", length: 1) { call throws(Thrown) in
            let text = try call.thisText("String.prototype.includes").units
            let wanted = try plainText(call, "includes").units
            let start = place(try call.integer(1), in: text.count)
            return .boolean(try find(wanted, in: text, from: start, call.realm) != nil)
        },
        .method("indexOf", length: 1) { call throws(Thrown) in
            let text = try call.thisText("String.prototype.indexOf").units
            let wanted = try call.text(0).units
            let start = place(try call.integer(1), in: text.count)
            return .number(Double(try find(wanted, in: text, from: start, call.realm) ?? -1))
        },
        .method("lastIndexOf", length: 1) { call throws(Thrown) in
            let text = try call.thisText("String.prototype.lastIndexOf").units
            let wanted = try call.text(0).units
            let number = try call.number(1)
            var index = number.isNaN ? text.count : place(NumberConversion.integerOrInfinity(number), in: text.count)
            index = min(index, text.count - wanted.count)
            while index >= 0 {
                var same = 0
                while same < wanted.count, text[index + same] == wanted[same] { same += 1 }
                try call.realm.spend(1 + same >> 2)
                if same == wanted.count { return .number(Double(index)) }
                index -= 1
            }
            return .number(-1)
        },
        .method("localeCompare", length: 1) { call throws(Thrown) in
            let text = try call.thisText("String.prototype.localeCompare")
            let other = try call.text(0)
            try call.requireDefaultLocale(1, "String.prototype.localeCompare")
            try call.realm.spend((text.count + other.count) >> 2)
            return .number(Double(TextCollation.compare(text.units, other.units)))
        },
        .method("startsWith", length: 1) { call throws(Thrown) in
            let text = try call.thisText("String.prototype.startsWith").units
            let wanted = try plainText(call, "startsWith").units
            return .boolean(text[place(try call.integer(1), in: text.count)...].starts(with: wanted))
        },
    ]

    /// The first argument of a method that takes no regular expression.
    private static func plainText(_ call: NativeCall, _ name: String) throws(Thrown) -> Text {
        if try call.realm.isRegularExpression(call[0]) {
            throw call.realm.typeError(
                "First argument to String.prototype.\(name) must not be a regular expression")
        }
        return try call.text(0)
    }

    /// An integer of the language as a place in a text.
    static func place(_ integer: Double, in count: Int) -> Int {
        Int(min(max(integer, 0), Double(count)))
    }

    /// The first place of a text in another one.
    static func find(_ wanted: [UInt16], in text: [UInt16], from start: Int, _ realm: Realm) throws(Thrown) -> Int? {
        guard let first = wanted.first else { return start }
        guard text.count >= wanted.count else { return nil }
        let last = text.count - wanted.count
        guard start <= last else { return nil }
        let place: Result<Int?, Thrown> = text.withUnsafeBufferPointer { text in
            wanted.withUnsafeBufferPointer { wanted in
                var index = start
                var compared = 0
                while index <= last {
                    if text[index] == first {
                        var offset = 1
                        while offset < wanted.count, text[index + offset] == wanted[offset] { offset += 1 }
                        if offset == wanted.count { return .success(index) }
                        compared += offset
                        if compared > 4096 {
                            do throws(Thrown) { try realm.spend(compared >> 2) } catch { return .failure(error) }
                            compared = 0
                        }
                    }
                    index += 1
                }
                return .success(nil)
            }
        }
        let found = try place.get()
        try realm.spend((min(found ?? last, last) - start) >> 3)
        return found
    }

    // MARK: Changing

    private static let changing: [NativeProperty] = [
        .method("concat", length: 1) { call throws(Thrown) in
            var text = try call.thisText("String.prototype.concat")
            for index in 0..<call.count { text = try call.realm.join(text, try call.text(index)) }
            return .text(text)
        },
        .method("isWellFormed", length: 0) { call throws(Thrown) in
            let text = try call.thisText("String.prototype.isWellFormed")
            try call.realm.spend(text.count >> 4)
            return .boolean(CodePoints.loneSurrogates(in: text.units).isEmpty)
        },
        .method("toWellFormed", length: 0) { call throws(Thrown) in
            let text = try call.thisText("String.prototype.toWellFormed")
            try call.realm.spend(text.count >> 4)
            let lone = CodePoints.loneSurrogates(in: text.units)
            if lone.isEmpty { return .text(text) }
            var units = text.units
            for place in lone { units[place] = 0xFFFD }
            return call.realm.value(units)
        },
        .method("normalize", length: 0) { call throws(Thrown) in
            let text = try call.thisText("String.prototype.normalize")
            let name = call[0].isUndefined ? "NFC" : try call.text(0).string
            guard let form = Normalization(rawValue: name) else {
                throw call.realm.rangeError("The normalization form should be one of NFC, NFD, NFKC, NFKD.")
            }
            try call.realm.spend(text.count >> 2)
            return call.realm.value(form.apply(to: text.units))
        },
        .method("padEnd", length: 1) { call throws(Thrown) in
            let (text, padding) = try padded(call, "padEnd")
            return padding.isEmpty ? .text(text) : call.realm.value(text.units + padding)
        },
        .method("padStart", length: 1) { call throws(Thrown) in
            let (text, padding) = try padded(call, "padStart")
            return padding.isEmpty ? .text(text) : call.realm.value(padding + text.units)
        },
        .method("repeat", length: 1) { call throws(Thrown) in
            let text = try call.thisText("String.prototype.repeat")
            let count = try call.integer(0)
            guard count >= 0, count.isFinite else {
                throw call.realm.rangeError("Invalid count value: \(call.realm.describe(call[0]))")
            }
            if text.isEmpty || count == 0 { return .text(call.realm.emptyText) }
            let length = Double(text.count) * count
            guard length <= Double(call.realm.limits.textLength) else {
                throw call.realm.rangeError("Invalid string length")
            }
            try call.realm.spend(Int(length) >> 3)
            var units: [UInt16] = []
            units.reserveCapacity(Int(length))
            for _ in 0..<Int(count) { units += text.units }
            return call.realm.value(units)
        },
        .method("slice", length: 2) { call throws(Thrown) in
            let text = try call.thisText("String.prototype.slice")
            let length = Double(text.count)
            let start = try call.position(0, of: length)
            let end = try call.position(1, of: length, otherwise: length)
            return try part(text, Int(start), Int(end), call.realm)
        },
        .method("substr", length: 2) { call throws(Thrown) in
            let text = try call.thisText("String.prototype.substr")
            let start = Int(try call.position(0, of: Double(text.count)))
            let length = call[1].isUndefined ? text.count - start : place(try call.integer(1), in: text.count - start)
            return try part(text, start, start + length, call.realm)
        },
        .method("substring", length: 2) { call throws(Thrown) in
            let text = try call.thisText("String.prototype.substring")
            let start = place(try call.integer(0), in: text.count)
            let end = call[1].isUndefined ? text.count : place(try call.integer(1), in: text.count)
            return try part(text, min(start, end), max(start, end), call.realm)
        },
        .method("toLocaleLowerCase", length: 0) { call throws(Thrown) in
            let text = try mapped(call, "toLocaleLowerCase", CaseMapping.lowercase)
            try call.requireDefaultLocale(0, "String.prototype.toLocaleLowerCase")
            return .text(text)
        },
        .method("toLocaleUpperCase", length: 0) { call throws(Thrown) in
            let text = try mapped(call, "toLocaleUpperCase", CaseMapping.uppercase)
            try call.requireDefaultLocale(0, "String.prototype.toLocaleUpperCase")
            return .text(text)
        },
        .method("toLowerCase", length: 0) { call throws(Thrown) in
            .text(try mapped(call, "toLowerCase", CaseMapping.lowercase))
        },
        .method("toUpperCase", length: 0) { call throws(Thrown) in
            .text(try mapped(call, "toUpperCase", CaseMapping.uppercase))
        },
        .method("trim", length: 0) { call throws(Thrown) in try trimmed(call, "trim", start: true, end: true) },
        .method("trimEnd", length: 0) { call throws(Thrown) in try trimmed(call, "trimEnd", start: false, end: true) },
        .method("trimStart", length: 0) { call throws(Thrown) in
            try trimmed(call, "trimStart", start: true, end: false)
        },
        .alias("trimLeft", of: "trimStart"),
        .alias("trimRight", of: "trimEnd"),
    ]

    /// A part of a text. Copying costs steps by its length, so that long texts in loops meet the bounds.
    static func part(_ text: Text, _ start: Int, _ end: Int, _ realm: Realm) throws(Thrown) -> Value {
        guard start < end else { return .text(realm.emptyText) }
        if start == 0, end == text.count { return .text(text) }
        if end - start == 1 { return .text(realm.text(unit: text[start])) }
        try realm.spend((end - start) >> 5)
        return realm.value(Array(text.units[start..<end]))
    }

    private static func mapped(
        _ call: NativeCall, _ name: String, _ map: ([UInt16]) -> [UInt16]
    ) throws(Thrown) -> Text {
        let text = try call.thisText("String.prototype.\(name)")
        try call.realm.spend(text.count >> 3)
        return call.realm.text(map(text.units))
    }

    private static func padded(
        _ call: NativeCall, _ name: String
    ) throws(Thrown) -> (text: Text, padding: [UInt16]) {
        let text = try call.thisText("String.prototype.\(name)")
        let length = try call.realm.toLength(call[0])
        guard length > Double(text.count) else { return (text, []) }
        let filler = call[1].isUndefined ? [0x20] : try call.text(1).units
        guard !filler.isEmpty else { return (text, []) }
        guard length <= Double(call.realm.limits.textLength) else {
            throw call.realm.rangeError("Invalid string length")
        }
        let count = Int(length) - text.count
        try call.realm.spend(count >> 3)
        return (text, (0..<count).map { filler[$0 % filler.count] })
    }

    private static func trimmed(
        _ call: NativeCall, _ name: String, start: Bool, end: Bool
    ) throws(Thrown) -> Value {
        let text = try call.thisText("String.prototype.\(name)")
        let units = text.units
        var first = 0
        var after = units.count
        if start { while first < after, CodePoints.isSpace(units[first]) { first += 1 } }
        if end { while after > first, CodePoints.isSpace(units[after - 1]) { after -= 1 } }
        return try part(text, first, after, call.realm)
    }

    // MARK: Markup

    /// The methods of Annex B that put a text between tags.
    private static let markup: [NativeProperty] = [
        tag("anchor", "a", "name"), tag("big", "big"), tag("blink", "blink"), tag("bold", "b"), tag("fixed", "tt"),
        tag("fontcolor", "font", "color"), tag("fontsize", "font", "size"), tag("italics", "i"),
        tag("link", "a", "href"),
        tag("small", "small"), tag("strike", "strike"), tag("sub", "sub"), tag("sup", "sup"),
    ]

    private static func tag(_ method: String, _ element: String, _ attribute: String? = nil) -> NativeProperty {
        .method(method, length: attribute == nil ? 0 : 1) { call throws(Thrown) in
            let text = try call.thisText("String.prototype.\(method)").units
            var units = Array("<\(element)".utf16)
            if let attribute {
                units += Array(" \(attribute)=\"".utf16)
                for unit in try call.text(0).units {
                    if unit == UInt16(ascii: "\"") { units += Array("&quot;".utf16) } else { units.append(unit) }
                }
                units.append(UInt16(ascii: "\""))
            }
            units.append(UInt16(ascii: ">"))
            units += text
            units += Array("</\(element)>".utf16)
            try call.realm.checkText(length: units.count)
            return call.realm.value(units)
        }
    }
}

extension Realm {
    /// Where a text stands in another one, from left to right, none over the one before.
    package func places(of wanted: [UInt16], in text: [UInt16], limit: Int) throws(Thrown) -> [Int] {
        var places: [Int] = []
        var start = 0
        while places.count < limit, start <= text.count,
            let place = try StringLibrary.find(wanted, in: text, from: start, self)
        {
            try spend()
            places.append(place)
            start = place + max(wanted.count, 1)
        }
        return places
    }
}
