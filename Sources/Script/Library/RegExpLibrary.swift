extension NativeClass {
    static let regExp = NativeClass(
        name: "RegExp", length: 2, statics: [.species] + RegExpLibrary.lastMatches, properties: RegExpLibrary.properties
    ) { call throws(Thrown) in
        let realm = call.realm
        let pattern = call[0]
        let isExpression = try realm.isRegularExpression(pattern)
        let newTarget: ScriptObject
        if let target = call.newTarget {
            newTarget = target
        } else {
            newTarget = call.function
            if isExpression, call[1].isUndefined, case .object(let object) = pattern,
                case .object(let constructor) = try object.get(.constructor), constructor === newTarget
            {
                return pattern
            }
        }
        var source = pattern
        var flags = call[1]
        if case .object(let object) = pattern, let expression = object as? RegularExpressionObject {
            source = .text(expression.source)
            if flags.isUndefined { flags = .text(expression.flags) }
        } else if isExpression, case .object(let object) = pattern {
            source = try object.get("source")
            if flags.isUndefined { flags = try object.get("flags") }
        }
        let object = RegularExpressionObject(realm, prototype: try realm.prototype(from: newTarget, .regExp))
        try object.initialize(source, flags)
        return .object(object)
    }

    static let regExpStringIterator = NativeClass(
        name: "RegExp String Iterator", prototypeParent: .iterator, hasConstructor: false,
        properties: [
            .method("next", length: 0) { call throws(Thrown) in
                try call.this(as: RegularExpressionTextIterator.self, "RegExp String Iterator.prototype.next").next()
            },
            .tag("RegExp String Iterator"),
        ])
}

extension Realm {
    /// IsRegExp
    func isRegularExpression(_ value: Value) throws(Thrown) -> Bool {
        guard case .object(let object) = value else { return false }
        let matcher = try object.get(.known(.match))
        if !matcher.isUndefined { return try toBoolean(matcher) }
        return object is RegularExpressionObject
    }

    /// RegExpCreate
    func makeRegularExpression(_ pattern: Value, _ flags: Value) throws(Thrown) -> ScriptObject {
        let object = RegularExpressionObject(self, prototype: prototype(.regExp))
        try object.initialize(pattern, flags)
        return object
    }
}

/// `RegExp`
enum RegExpLibrary {
    static let properties: [NativeProperty] =
        [
            .method("exec", length: 1) { call throws(Thrown) in
                try call.this(as: RegularExpressionObject.self, "RegExp.prototype.exec").match(try call.text(0))
            },
            .method("test", length: 1) { call throws(Thrown) in
                let object = try this(call, "test")
                return .boolean(try execute(object, try call.text(0)).isObject)
            },
            .method("compile", length: 2) { call throws(Thrown) in
                let object = try call.this(as: RegularExpressionObject.self, "RegExp.prototype.compile")
                if case .object(let other) = call[0], let other = other as? RegularExpressionObject {
                    if !call[1].isUndefined {
                        throw call.realm.typeError("Invalid flags supplied to RegExp constructor")
                    }
                    try object.initialize(.text(other.source), .text(other.flags))
                } else {
                    try object.initialize(call[0], call[1])
                }
                return call.this
            },
            .method("toString", length: 0) { call throws(Thrown) in
                let object = try this(call, "toString")
                let source = try call.realm.toText(try object.get("source"))
                let flags = try call.realm.toText(try object.get("flags"))
                return call.realm.value([UInt16(ascii: "/")] + source.units + [UInt16(ascii: "/")] + flags.units)
            },
            .getter("flags") { call throws(Thrown) in
                let object = try this(call, "flags")
                var units: [UInt16] = []
                for (name, letter, _) in flagNames {
                    if try call.realm.toBoolean(try object.get(name)) { units.append(UInt16(ascii: letter)) }
                }
                return call.realm.value(units)
            },
            .getter("source") { call throws(Thrown) in
                if let own = call.this.object as? RegularExpressionObject {
                    return call.realm.value(escaped(own.source.units))
                }
                try requirePrototype(call, "source")
                return call.realm.value("(?:)")
            },
        ] + flagNames.map(flag) + symbolMethods

    /// In the order in which `flags` asks for them.
    private static let flagNames: [(name: String, letter: Unicode.Scalar, flag: RegularExpressionFlags)] = [
        ("hasIndices", "d", .hasIndices), ("global", "g", .global), ("ignoreCase", "i", .ignoreCase),
        ("multiline", "m", .multiline), ("dotAll", "s", .dotAll), ("unicode", "u", .unicode), ("sticky", "y", .sticky),
    ]

    private static func flag(_ row: (name: String, letter: Unicode.Scalar, flag: RegularExpressionFlags))
        -> NativeProperty
    {
        .getter(row.name) { call throws(Thrown) in
            if let own = call.this.object as? RegularExpressionObject {
                return .boolean(own.expression?.flags.contains(row.flag) ?? false)
            }
            try requirePrototype(call, row.name)
            return .undefined
        }
    }

    private static func requirePrototype(_ call: NativeCall, _ name: String) throws(Thrown) {
        if case .object(let object) = call.this, object === call.realm.prototype(.regExp) { return }
        throw call.realm.typeError(
            "RegExp.prototype.\(name) getter called on non-RegExp object")
    }

    /// EscapeRegExpPattern: a slash outside of a class and line ends as escapes, so that `/source/` can be read again.
    private static func escaped(_ source: [UInt16]) -> [UInt16] {
        if source.isEmpty { return Array("(?:)".utf16) }
        var result: [UInt16] = []
        var isInClass = false
        var isEscaped = false
        for unit in source {
            let lineEnd: String? =
                switch unit {
                case 0x0A: "n"
                case 0x0D: "r"
                case 0x2028: "u2028"
                case 0x2029: "u2029"
                default: nil
                }
            if let lineEnd {
                if !isEscaped { result.append(0x5C) }
                result += Array(lineEnd.utf16)
                isEscaped = false
                continue
            }
            if isEscaped {
                isEscaped = false
            } else {
                switch Unicode.Scalar(unit) {
                case "\\": isEscaped = true
                case "[": isInClass = true
                case "]": isInClass = false
                case "/" where !isInClass: result.append(0x5C)
                default: break
                }
            }
            result.append(unit)
        }
        return result
    }

    /// `RegExp.$1` and its like, which say what the last match of any expression was. The language has never had them; a
    /// program that relies on them is told so, instead of getting undefined.
    static let lastMatches: [NativeProperty] =
        [
            "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9", "input", "$_", "lastMatch", "$&", "lastParen", "$+",
            "leftContext", "$`", "rightContext", "$'",
        ].map { name in
            .getter(name) { _ throws(Thrown) in
                throw .ended(
                    .unsupported(
                        message: "RegExp.\(name) is not there", hint: "Use what exec or match answers."))
            }
        }

    // MARK: What its methods share

    static func this(_ call: NativeCall, _ name: String) throws(Thrown) -> ScriptObject {
        guard case .object(let object) = call.this else {
            throw call.realm.typeError(
                "Method RegExp.prototype.\(name) called on incompatible receiver \(call.realm.describe(call.this))")
        }
        return object
    }

    /// RegExpExec: a list, another object, or null.
    static func execute(_ object: ScriptObject, _ text: Text) throws(Thrown) -> Value {
        let realm = object.realm
        if case .object(let method) = try object.get("exec"), method.isCallable {
            let result = try realm.call(method, this: .object(object), [.text(text)])
            switch result {
            case .object, .null: return result
            default: throw realm.typeError("object null is not a function")
            }
        }
        guard let expression = object as? RegularExpressionObject else {
            throw realm.typeError(
                "Method RegExp.prototype.exec called on incompatible receiver \(realm.describe(.object(object)))")
        }
        return try expression.match(text)
    }

    static func lastIndex(_ object: ScriptObject) throws(Thrown) -> Double {
        try object.realm.toLength(try object.get("lastIndex"))
    }

    static func setLastIndex(_ object: ScriptObject, _ index: Double) throws(Thrown) {
        try object.set(object.realm.key("lastIndex"), .number(index))
    }

    /// Moves `lastIndex` on after an empty match.
    static func advanceLastIndex(_ object: ScriptObject, _ text: Text, isUnicode: Bool) throws(Thrown) {
        try setLastIndex(object, advanced(try lastIndex(object), text, isUnicode: isUnicode))
    }

    /// AdvanceStringIndex
    static func advanced(_ index: Double, _ text: Text, isUnicode: Bool) -> Double {
        guard isUnicode, index < Double(text.count) else { return index + 1 }
        return index + Double(CodePoints.point(in: text.units, at: Int(index)).length)
    }
}
