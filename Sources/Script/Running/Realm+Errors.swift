extension Realm {
    package func typeError(_ message: String) -> Thrown { error(.typeError, message) }
    package func rangeError(_ message: String) -> Thrown { error(.rangeError, message) }
    package func referenceError(_ message: String) -> Thrown { error(.referenceError, message) }
    package func syntaxError(_ message: String) -> Thrown { error(.syntaxError, message) }

    package func error(_ intrinsic: Intrinsic, _ message: String) -> Thrown {
        .value(.object(ErrorObject(self, text(message), prototype: prototype(intrinsic))))
    }

    func opaqueUse(_ object: ScriptObject, _ use: String) -> Thrown {
        .ended(.opaque(origin: (object as? OpaqueObject)?.fullOrigin ?? "", use: use))
    }

    /// Where the program is now, the innermost call first.
    func trace() -> [TraceEntry] {
        var entries: [TraceEntry] = []
        var frame = current
        while let current = frame, entries.count < 10 {
            entries.append(
                TraceEntry(
                    function: String(decoding: current.code.name, as: UTF16.self), file: current.unit.program.file,
                    place: current.place))
            frame = current.caller
        }
        return entries
    }

    // MARK: How values look in messages, which is how V8 shows them

    package func describe(_ key: PropertyKey) -> String {
        if let index = key.index { return String(index) }
        if let symbol = key.symbol {
            let text = description(of: symbol)?.string ?? ""
            return symbol.isPrivate ? text : "Symbol(\(text))"
        }
        return key.name.map { names.text(of: $0) } ?? ""
    }

    package func describe(_ object: ScriptObject) -> String {
        if object is ScriptArray { return "[object Array]" }
        if let opaque = object as? OpaqueObject { return opaque.origin }
        if object is ErrorObject, let text = try? toText(.object(object)) { return text.string }
        var holder: ScriptObject? = object
        while let current = holder {
            if let place = current.place(of: .known(.constructor)),
                case .object(let function) = current.table.value(at: place), function.isCallable,
                let place = function.place(of: .known(.name)), case .text(let name) = function.table.value(at: place),
                !name.isEmpty
            {
                return "#<\(name.string)>"
            }
            holder = current.prototype
        }
        return "#<Object>"
    }

    package func describe(_ value: Value) -> String {
        switch value {
        case .undefined, .absent: return "undefined"
        case .null: return "null"
        case .boolean(let boolean): return boolean ? "true" : "false"
        case .number(let number): return NumberText.decimal(number)
        case .text(let text):
            return text.count > 200 ? String(decoding: text.units.prefix(200), as: UTF16.self) : text.string
        case .symbol(let symbol): return "Symbol(\(description(of: symbol)?.string ?? ""))"
        case .object(let object):
            if object.isCallable, !object.isOpaque {
                return String(decoding: (object as? ScriptFunction)?.sourceText ?? [], as: UTF16.self).isEmpty
                    ? "function () { [native code] }"
                    : String(decoding: (object as? ScriptFunction)?.sourceText.prefix(200) ?? [], as: UTF16.self)
            }
            return describe(object)
        }
    }

    func cannotAssign(_ key: PropertyKey, to value: Value) -> Thrown {
        guard case .object(let object) = value else { return typeError("Cannot assign to '\(describe(key))'") }
        let name = describe(key)
        guard let own = (try? object.ownProperty(key)) ?? inherited(key, object) else {
            if (try? object.isExtensible()) == false {
                return typeError("Cannot add property \(name), object is not extensible")
            }
            return typeError("Cannot assign to property '\(name)' of \(describe(object))")
        }
        if own.isAccessor {
            return typeError("Cannot set property \(name) of \(describe(object)) which has only a getter")
        }
        return typeError("Cannot assign to read only property '\(name)' of object '\(describe(object))'")
    }

    private func inherited(_ key: PropertyKey, _ object: ScriptObject) -> PropertyDescriptor? {
        var ancestor = object.prototype
        while let current = ancestor {
            if let own = try? current.ownProperty(key) { return own }
            ancestor = current.prototype
        }
        return nil
    }

    func cannotDefine(_ key: PropertyKey, on object: ScriptObject) -> Thrown {
        if (try? object.ownProperty(key)) != nil { return typeError("Cannot redefine property: \(describe(key))") }
        return typeError("Cannot define property \(describe(key)), object is not extensible")
    }
}

/// A call that was running when an error was made.
package struct TraceEntry: Sendable {
    package let function: String
    package let file: String
    package let place: Place
}
