extension RegExpLibrary {
    /// The methods behind those of texts.
    static let symbolMethods: [NativeProperty] = [
        .method(.match, length: 1) { call throws(Thrown) in
            let realm = call.realm
            let object = try this(call, "@@match")
            let text = try call.text(0)
            let flags = try realm.toText(try object.get("flags")).units
            guard flags.contains(UInt16(ascii: "g")) else { return try execute(object, text) }
            let isUnicode = flags.contains(UInt16(ascii: "u"))
            try setLastIndex(object, 0)
            let list = realm.array()
            while case .object(let match) = try execute(object, text) {
                try realm.spend()
                let matched = try realm.toText(try match.get(PropertyKey(index: 0)))
                try list.append(.text(matched))
                if matched.isEmpty { try advanceLastIndex(object, text, isUnicode: isUnicode) }
            }
            return list.length == 0 ? .null : .object(list)
        },
        .method(.matchAll, length: 1) { call throws(Thrown) in
            let realm = call.realm
            let object = try this(call, "@@matchAll")
            let text = try call.text(0)
            let constructor = try realm.speciesConstructor(object, .regExp)
            let flags = try realm.toText(try object.get("flags"))
            let matcher = try realm.construct(constructor, [.object(object), .text(flags)])
            try setLastIndex(matcher, try lastIndex(object))
            return .object(
                RegularExpressionTextIterator(
                    realm, matcher, text, isGlobal: flags.units.contains(UInt16(ascii: "g")),
                    isUnicode: flags.units.contains(UInt16(ascii: "u"))))
        },
        .method(.search, length: 1) { call throws(Thrown) in
            let object = try this(call, "@@search")
            let text = try call.text(0)
            let key = call.realm.key("lastIndex")
            let previous = try object.get(key)
            if !previous.isSameValue(as: .number(0)) { try object.set(key, .number(0)) }
            let result = try execute(object, text)
            let current = try object.get(key)
            if !current.isSameValue(as: previous) { try object.set(key, previous) }
            guard case .object(let match) = result else { return .number(-1) }
            return try match.get("index")
        },
        .method(.replace, length: 2) { call throws(Thrown) in try replace(call) },
        .method(.split, length: 2) { call throws(Thrown) in try split(call) },
    ]

    private static func replace(_ call: NativeCall) throws(Thrown) -> Value {
        let realm = call.realm
        let object = try this(call, "@@replace")
        let text = try call.text(0)
        let replacement: ReplacementTemplate
        if case .object(let function) = call[1], function.isCallable, !function.isOpaque {
            replacement = .function(function)
        } else {
            replacement = .text(try call.text(1).units)
        }
        let flags = try realm.toText(try object.get("flags")).units
        let isGlobal = flags.contains(UInt16(ascii: "g"))
        let isUnicode = flags.contains(UInt16(ascii: "u"))
        if isGlobal { try setLastIndex(object, 0) }
        // All matches are made before the first replacement is asked for.
        var matches: [ScriptObject] = []
        while case .object(let match) = try execute(object, text) {
            try realm.spend()
            matches.append(match)
            if matches.count > realm.limits.listLength { throw .ended(.limit(.listLength)) }
            if !isGlobal { break }
            if try realm.toText(try match.get(PropertyKey(index: 0))).isEmpty {
                try advanceLastIndex(object, text, isUnicode: isUnicode)
            }
        }
        var units: [UInt16] = []
        var end = 0
        for match in matches {
            let described = try describe(match, text, realm)
            let new = try replacement.units(for: described, realm)
            if described.position >= end {
                units += text.units[end..<described.position]
                units += new
                end = min(described.position + described.matched.count, text.count)
            }
            try realm.checkText(length: units.count)
        }
        if matches.isEmpty { return .text(text) }
        units += text.units[end...]
        try realm.spend(units.count >> 5)
        try realm.checkText(length: units.count)
        return realm.value(units)
    }

    /// A match, whoever made it, as the replacement reads it.
    private static func describe(
        _ match: ScriptObject, _ text: Text, _ realm: Realm
    ) throws(Thrown) -> ReplacementTemplate.Match {
        let count = try realm.length(of: match)
        let matched = try realm.toText(try match.get(PropertyKey(index: 0)))
        let position = StringLibrary.place(try realm.toInteger(try match.get("index")), in: text.count)
        var captures: [Value] = []
        var index = 1.0
        while index < count {
            try realm.spend()
            let capture = try match.get(index: index)
            captures.append(capture.isUndefined ? capture : .text(try realm.toText(capture)))
            index += 1
        }
        return ReplacementTemplate.Match(
            matched: matched, text: text, position: position, captures: captures, groups: try match.get("groups"))
    }

    private static func split(_ call: NativeCall) throws(Thrown) -> Value {
        let realm = call.realm
        let object = try this(call, "@@split")
        let text = try call.text(0)
        let constructor = try realm.speciesConstructor(object, .regExp)
        let flags = try realm.toText(try object.get("flags"))
        let isUnicode = flags.units.contains(UInt16(ascii: "u"))
        let isSticky = flags.units.contains(UInt16(ascii: "y"))
        let newFlags = isSticky ? flags : realm.text(flags.units + [UInt16(ascii: "y")])
        let splitter = try realm.construct(constructor, [.object(object), .text(newFlags)])
        let parts = realm.array()
        let limit = call[1].isUndefined ? UInt32.max : try realm.toUInt32(call[1])
        if limit == 0 { return .object(parts) }
        if text.isEmpty {
            if try execute(splitter, text).isObject { return .object(parts) }
            try parts.append(.text(text))
            return .object(parts)
        }
        var end = 0
        var search = 0
        while search < text.count {
            try realm.spend()
            try setLastIndex(splitter, Double(search))
            guard case .object(let match) = try execute(splitter, text) else {
                search = Int(advanced(Double(search), text, isUnicode: isUnicode))
                continue
            }
            let matchEnd = StringLibrary.place(try lastIndex(splitter), in: text.count)
            if matchEnd == end {
                search = Int(advanced(Double(search), text, isUnicode: isUnicode))
                continue
            }
            try parts.append(try StringLibrary.part(text, end, search, realm))
            if parts.length == limit { return .object(parts) }
            end = matchEnd
            let count = try realm.length(of: match)
            var index = 1.0
            while index < count {
                try realm.spend()
                try parts.append(try match.get(index: index))
                if parts.length == limit { return .object(parts) }
                index += 1
            }
            search = end
        }
        try parts.append(try StringLibrary.part(text, end, text.count, realm))
        return .object(parts)
    }
}
