extension Realm {
    package func typeError(_ message: String) -> Thrown { error(.typeError, message) }
    package func rangeError(_ message: String) -> Thrown { error(.rangeError, message) }
    package func referenceError(_ message: String) -> Thrown { error(.referenceError, message) }
    package func syntaxError(_ message: String) -> Thrown { error(.syntaxError, message) }

    package func error(_ intrinsic: Intrinsic, _ message: String) -> Thrown {
        .value(.object(ErrorObject(self, text(message), prototype: prototype(intrinsic))))
    }

    func opaqueUse(_ object: ScriptObject, _ use: String) -> Thrown {
        if let object = object as? OpaqueObject { unknownUse = (object, current.map(ObjectIdentifier.init)) }
        return .ended(.opaque(origin: (object as? OpaqueObject)?.fullOrigin ?? "", use: use))
    }

    static let comparison = "in a comparison"

    /// Returns whether something opaque is true, or a comparison with it; an error where the host does not say.
    func holds(_ object: ScriptObject, _ use: String) throws(Thrown) -> Bool {
        guard let object = object as? OpaqueObject,
            let answer = host.decides(object, isComparison: use != "as a condition", in: self)
        else { throw opaqueUse(object, use) }
        return answer
    }

    /// What `typeof` gives of something opaque; an error where the host does not say.
    func typeName(ofUnknown object: ScriptObject) throws(Thrown) -> String {
        guard let object = object as? OpaqueObject, let name = host.typeName(of: object, in: self) else {
            throw opaqueUse(object, "in typeof")
        }
        return name
    }

    /// What a function of the library gives that was stopped: where it needed an opaque value, and none of the program's functions did
    /// behind it, its result is as unknown, or a text with opaque values in it.
    ///
    /// - Parameter again: calls it once more.
    func result(
        of function: NativeFunction, stoppedBy thrown: Thrown, again: () throws(Thrown) -> Value
    ) throws(Thrown) -> Value {
        guard case .ended(.opaque) = thrown, let use = unknownUse, use.frame == current.map(ObjectIdentifier.init)
        else { throw thrown }
        unknownUse = nil
        guard host.goesOn(without: use.object, in: self) else { throw thrown }
        let name = function.spelledName
        if marks == nil, TextMarks.makers.contains(name) {
            marks = TextMarks(self)
            defer { marks = nil }
            if case .text(let text)? = try? again(), let made = marks?.value(of: text, use.object) { return made }
        }
        return use.object.leading(to: "\(name)(\(use.object.origin))")
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
        if let opaque = object as? OpaqueObject { return opaque.origin }
        if object is ErrorObject, let text = try? toText(.object(object)) { return text.string }
        guard isPrintedPlainly(object) else { return "[object \(tag(of: object))]" }
        if case .object(let function) = plainValue(of: .known(.constructor), in: object), function.isCallable,
            case .text(let name) = plainValue(of: .known(.name), in: function), !name.isEmpty
        {
            return "#<\(name.string)>"
        }
        return "#<Object>"
    }

    /// Returns whether the object's `toString` is that of plain objects.
    func isPrintedPlainly(_ object: ScriptObject) -> Bool {
        guard case .object(let own) = plainValue(of: key("toString"), in: object),
            case .object(let plain) = plainValue(of: key("toString"), in: prototype(.object))
        else { return false }
        return own === plain
    }

    private func tag(of object: ScriptObject) -> String {
        if case .text(let tag) = plainValue(of: PropertyKey(.known(.toStringTag)), in: object) { return tag.string }
        return object is ScriptArray ? "Array" : object.className
    }

    /// The value of a property of an object or of its prototypes, where no getter has to be called for it.
    private func plainValue(of key: PropertyKey, in object: ScriptObject) -> Value? {
        var holder: ScriptObject? = object
        while let current = holder {
            if let place = current.place(of: key) {
                return current.table.attributes(at: place).contains(.accessor) ? nil : current.table.value(at: place)
            }
            holder = current.prototype
        }
        return nil
    }

    /// Longer texts are cut in messages.
    private static let shownTextMax = 1_000

    package func describe(_ value: Value) -> String {
        switch value {
        case .undefined, .absent: return "undefined"
        case .null: return "null"
        case .boolean(let boolean): return boolean ? "true" : "false"
        case .number(let number): return NumberText.decimal(number)
        case .text(let text):
            return text.count > Self.shownTextMax
                ? String(decoding: text.units.prefix(Self.shownTextMax), as: UTF16.self) : text.string
        case .symbol(let symbol): return "Symbol(\(description(of: symbol)?.string ?? ""))"
        case .object(let object):
            if object.isCallable, !object.isOpaque {
                if let function = object as? ScriptFunction, !function.sourceText.isEmpty {
                    return Self.shortened(function.sourceText)
                }
                guard object is NativeFunction, case .text(let name) = plainValue(of: .known(.name), in: object) else {
                    return "function () { [native code] }"
                }
                return "function \(name.string)() { [native code] }"
            }
            return describe(object)
        }
    }

    /// A value where its text in the file is not known: `number 5`, `object null`, `string "a"`.
    package func callSite(_ value: Value) -> String {
        switch value {
        case .undefined, .absent: "undefined"
        case .null: "object null"
        case .boolean: "boolean \(describe(value))"
        case .number: "number \(describe(value))"
        case .text: "string \"\(describe(value))\""
        case .symbol: "symbol"
        case .object(let object): object.isCallable && !object.isOpaque ? "function" : "object"
        }
    }

    /// V8 leaves out the middle of long functions.
    private static func shortened(_ units: some BidirectionalCollection<UInt16>) -> String {
        if units.count <= 128 { return String(decoding: units, as: UTF16.self) }
        return String(decoding: units.prefix(111), as: UTF16.self) + "...<omitted>..."
            + String(decoding: units.suffix(2), as: UTF16.self)
    }

    func cannotAssign(_ key: PropertyKey, to value: Value) -> Thrown {
        guard case .object(let object) = value else { return typeError("Cannot assign to '\(describe(key))'") }
        let name = describe(key)
        let shown = describe(value)
        let inherited = inherited(key, object)
        // A property that could be written is none of the object's own yet.
        guard let own = (try? object.ownProperty(key)) ?? (inherited?.isWritable == true ? nil : inherited) else {
            if (try? object.isExtensible()) == false {
                return typeError("Cannot add property \(name), object is not extensible")
            }
            return typeError("Cannot assign to property '\(name)' of \(shown)")
        }
        if own.isAccessor { return typeError("Cannot set property \(name) of \(shown) which has only a getter") }
        return typeError("Cannot assign to read only property '\(name)' of \(typeName(value)) '\(shown)'")
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
