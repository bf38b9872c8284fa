/// What instructions do that is more than a few lines.
extension Realm {
    // MARK: Variables

    func noValue(_ name: Int32, _ unit: Unit) -> Thrown {
        if name == Name.thisVariable.number {
            return referenceError(
                "Must call super constructor in derived class before accessing 'this' or returning from derived constructor"
            )
        }
        let spelled = String(decoding: unit.program.spelling(Name(number: name)), as: UTF16.self)
        return referenceError("Cannot access '\(spelled == "*default*" ? "default" : spelled)' before initialization")
    }

    func constantError(_ kind: Int, _ name: Int32, _ unit: Unit) -> Thrown {
        switch kind {
        case 0: typeError("Assignment to constant variable.")
        case 1: referenceError("Unsupported reference to 'super'")
        default: referenceError("Invalid left-hand side in assignment")
        }
    }

    func global(_ key: PropertyKey) throws(Thrown) -> Value {
        if !lexicals.isEmpty, let lexical = lexicals[key] {
            if case .absent = lexical.value {
                throw referenceError("Cannot access '\(describe(key))' before initialization")
            }
            return lexical.value
        }
        let global = global
        if let place = global.place(of: key) { return try global.value(at: place, receiver: .object(global)) }
        if try global.has(key) { return try global.get(key) }
        throw missingGlobal(key)
    }

    func globalOrUndefined(_ key: PropertyKey) throws(Thrown) -> Value {
        if lexicals[key] != nil { return try global(key) }
        return try global.get(key)
    }

    func missingGlobal(_ key: PropertyKey) -> Thrown {
        let name = describe(key)
        let error = ErrorObject(self, text("\(name) is not defined"), prototype: prototype(.referenceError))
        error.hint = Globals.hint(name)
        return .value(.object(error))
    }

    func setGlobal(_ key: PropertyKey, _ value: Value) throws(Thrown) {
        if let lexical = lexicals[key] {
            if case .absent = lexical.value {
                throw referenceError("Cannot access '\(describe(key))' before initialization")
            }
            if lexical.isConstant { throw typeError("Assignment to constant variable.") }
            lexicals[key]?.value = value
            return
        }
        let global = global
        if try !global.has(key) { throw missingGlobal(key) }
        try global.set(key, value)
    }

    func hasGlobal(_ key: PropertyKey) throws(Thrown) -> Bool {
        if lexicals[key] != nil { return true }
        return try global.has(key)
    }

    func initializeGlobal(_ key: PropertyKey, _ value: Value) {
        lexicals[key]?.value = value
    }

    /// GlobalDeclarationInstantiation, without the functions' values.
    func declareGlobals(_ unit: Unit) throws(Thrown) {
        let names = unit.program.globals
        let global = global
        func taken(_ key: PropertyKey) -> Thrown {
            syntaxError("Identifier '\(describe(key))' has already been declared")
        }
        for (name, _) in names.lexicals {
            let key = unit.key(name.number)
            if lexicals[key] != nil { throw taken(key) }
            if let own = try global.ownProperty(key), own.isConfigurable == false { throw taken(key) }
        }
        for name in names.variables + names.functions where lexicals[unit.key(name.number)] != nil {
            throw taken(unit.key(name.number))
        }
        for name in names.functions {
            let key = unit.key(name.number)
            if let own = try global.ownProperty(key) {
                if own.isConfigurable == true || (own.isWritable == true && own.isEnumerable == true) { continue }
                throw typeError("Cannot redefine property: \(describe(key))")
            } else if try !global.isExtensible() {
                throw typeError("Cannot define global function '\(describe(key))'")
            }
        }
        for name in names.variables {
            let key = unit.key(name.number)
            if try global.ownProperty(key) == nil, try !global.isExtensible() {
                throw typeError("Cannot define global variable '\(describe(key))'")
            }
        }
        for name in names.functions {
            let key = unit.key(name.number)
            var descriptor = PropertyDescriptor()
            descriptor.value = .undefined
            if try global.ownProperty(key)?.isConfigurable != false {
                descriptor = PropertyDescriptor(.undefined, isWritable: true, isEnumerable: true, isConfigurable: false)
            }
            try global.defineOrThrow(key, descriptor)
        }
        for name in names.variables {
            let key = unit.key(name.number)
            if try global.ownProperty(key) == nil {
                try global.defineOrThrow(
                    key, PropertyDescriptor(.undefined, isWritable: true, isEnumerable: true, isConfigurable: false))
            }
        }
        for (name, isConstant) in names.lexicals {
            lexicals[unit.key(name.number)] = GlobalLexical(value: .absent, isConstant: isConstant)
        }
    }

    // MARK: Properties

    func getIndex(_ object: Value, _ key: Value) throws(Thrown) -> Value {
        switch object {
        case .object(let holder): return try holder.get(try toKey(key), receiver: object)
        case .undefined, .null, .absent:
            if case .symbol(.known(.iterator)) = key { throw notIterable(object) }
            throw typeError("Cannot read properties of \(describe(object))\(suffix("reading", key))")
        default: return try get(object, try toKey(key))
        }
    }

    func setIndex(_ object: Value, _ key: Value, _ value: Value) throws(Thrown) {
        if object.isNullish {
            throw typeError("Cannot set properties of \(describe(object))\(suffix("setting", key))")
        }
        try set(object, try toKey(key), value)
    }

    /// The key, as far as V8 shows it: not where it would have to run the key's own `toString`.
    private func suffix(_ doing: String, _ key: Value) -> String {
        if case .object(let object) = key, !object.isCallable, !(object is ErrorObject), !isPrintedPlainly(object) {
            return ""
        }
        return " (\(doing) '\(describe(key))')"
    }

    func nullishConversion(_ value: Value) -> Thrown {
        typeError("Cannot convert undefined or null to object")
    }

    func deleteProperty(_ value: Value, _ key: PropertyKey) throws(Thrown) {
        try toObject(value).deleteOrThrow(key)
    }

    func convertKey(_ place: UnsafeMutablePointer<Value>) throws(Thrown) {
        switch place.pointee {
        case .text, .number, .symbol: break
        default: place.pointee = value(of: try toKey(place.pointee))
        }
    }

    func getSuper(this: Value, key: Value, base: Value) throws(Thrown) -> Value {
        let key = try toKey(key)
        guard case .object(let parent) = base else {
            throw typeError("Cannot read properties of null (reading '\(describe(key))')")
        }
        return try parent.get(key, receiver: this)
    }

    func setSuper(this: Value, key: Value, base: Value, _ value: Value) throws(Thrown) {
        let key = try toKey(key)
        guard case .object(let parent) = base else {
            throw typeError("Cannot set properties of null (setting '\(describe(key))')")
        }
        if try !parent.set(key, value, receiver: this) { throw cannotAssign(key, to: this) }
    }

    private func privateMember(_ value: Value, _ key: Value, _ use: String) throws(Thrown) -> (
        ScriptObject, PropertyKey, Int
    ) {
        guard case .symbol(let symbol) = key else { throw typeError("Private member without a name") }
        let key = PropertyKey(symbol)
        if value.isNullish {
            let (verb, doing) = use == "read" ? ("read", "reading") : ("set", "setting")
            throw typeError("Cannot \(verb) properties of \(describe(value)) (\(doing) '\(describe(key))')")
        }
        guard case .object(let object) = value, let place = object.place(of: key) else {
            throw typeError(
                "Cannot \(use) private member \(describe(key)) \(use == "read" ? "from" : "to") an object whose class did not declare it"
            )
        }
        return (object, key, place)
    }

    func getPrivate(_ value: Value, _ key: Value) throws(Thrown) -> Value {
        let (object, key, place) = try privateMember(value, key, "read")
        if object.table.attributes(at: place).contains(.accessor), object.accessor(at: place)?.getter == nil {
            throw typeError("'\(describe(key))' was defined without a getter")
        }
        return try object.value(at: place, receiver: value)
    }

    func setPrivate(_ value: Value, _ key: Value, _ new: Value) throws(Thrown) {
        let (object, key, place) = try privateMember(value, key, "write")
        let attributes = object.table.attributes(at: place)
        if attributes.contains(.accessor) {
            guard let setter = object.accessor(at: place)?.setter else {
                throw typeError("'\(describe(key))' was defined without a setter")
            }
            _ = try call(setter, this: value, [new])
        } else if attributes.contains(.writable) {
            object.table.setValue(new, at: place)
        } else {
            throw typeError("Private method '\(describe(key))' is not writable")
        }
    }

    func definePrivate(_ value: Value, _ key: Value, _ new: Value, kind: Int) throws(Thrown) {
        guard case .object(let object) = value, case .symbol(let symbol) = key else { return }
        let key = PropertyKey(symbol)
        if let place = object.place(of: key) {
            let attributes = object.table.attributes(at: place)
            guard kind >= 2, attributes.contains(.accessor), let old = object.accessor(at: place),
                kind == 2 ? old.getter == nil : old.setter == nil
            else { throw typeError("Cannot initialize \(describe(key)) twice on the same object") }
            let accessor = Accessor(
                getter: kind == 2 ? new.object : old.getter, setter: kind == 3 ? new.object : old.setter, self)
            object.table.set(.object(accessor), .accessor, at: place)
            return
        }
        switch kind {
        case 0: try object.append(key, new, .writable)
        case 1: try object.append(key, new, [])
        default:
            let accessor = Accessor(
                getter: kind == 2 ? new.object : nil, setter: kind == 3 ? new.object : nil, self)
            try object.append(key, .object(accessor), .accessor)
        }
    }

    func hasPrivate(_ value: Value, _ key: Value) throws(Thrown) -> Bool {
        guard case .symbol(let symbol) = key else { return false }
        guard case .object(let object) = value else {
            throw typeError(
                "Cannot use 'in' operator to search for '\(describe(PropertyKey(symbol)))' in \(describe(value))")
        }
        return object.place(of: PropertyKey(symbol)) != nil
    }

    // MARK: Literals

    func define(_ target: Value, _ key: Value, _ value: Value, kind: Int, isEnumerable: Bool) throws(Thrown) {
        guard case .object(let object) = target else { return }
        let key = try toKey(key)
        if object.isOpaque { return object.put(key, value) }
        var descriptor = PropertyDescriptor()
        descriptor.isEnumerable = isEnumerable
        descriptor.isConfigurable = true
        switch kind {
        case 2: descriptor.getter = value
        case 3: descriptor.setter = value
        default:
            descriptor.value = value
            descriptor.isWritable = true
        }
        try object.defineOrThrow(key, descriptor)
    }

    /// Spread into an object literal. What an opaque value gives is unknown, so the literal becomes opaque.
    func copyProperties(_ target: UnsafeMutablePointer<Value>, from source: Value) throws(Thrown) {
        guard case .object(let object) = target.pointee else { return }
        if case .object(let source) = source, let opaque = source as? OpaqueObject {
            let copy = OpaqueObject(self, origin: "{ ...\(opaque.origin) }", from: opaque.module)
            copy.spreadOf = opaque
            // What the literal has before it, and what is known of the value.
            for key in try object.ownKeys() { copy.put(key, try object.get(key)) }
            for key in opaque.assignedKeys { copy.put(key, try opaque.get(key)) }
            target.pointee = .object(copy)
            return
        }
        if object.isOpaque {
            guard case .object(let source) = source else { return }
            for key in try source.ownKeys() { object.put(key, try source.get(key)) }
            return
        }
        try copyProperties(from: source, to: object)
    }

    func restObject(_ start: UnsafeMutablePointer<Value>, keyCount: Int) throws(Thrown) -> Value {
        if case .object(let source) = start.pointee, source.isOpaque { return start.pointee }
        var except: [PropertyKey] = []
        for index in 0..<keyCount { except.append(try toKey(start[1 + index])) }
        let rest = object()
        try copyProperties(from: start.pointee, to: rest, except: except)
        return .object(rest)
    }

    func appendAll(
        _ target: UnsafeMutablePointer<Value>, _ list: Value, callee: Int32, _ code: Code, _ unit: Unit
    ) throws(Thrown) {
        guard case .object(let object) = target.pointee else { return }
        if case .object(let source) = list, let opaque = source as? OpaqueObject {
            let copy = OpaqueObject(self, origin: "[...\(opaque.origin)]", from: opaque.module)
            copy.spreadOf = opaque
            target.pointee = .object(copy)
            return
        }
        guard let array = object as? ScriptArray else { return }
        var iterator = try openIterator(list, callee: callee, code, unit)
        if !iterator.canStep { throw notIterable(list, callee, code, unit) }
        while let value = try iterator.step(self) {
            try spend()
            try array.append(value)
        }
    }

    /// The texts of a template and its values in one; opaque where a value is.
    func joinTemplate(
        _ values: UnsafeMutablePointer<Value>, count: Int, texts: Int32, _ unit: Unit
    ) throws(Thrown) -> Value {
        for index in 0..<count {
            if case .object = values[index] { values[index] = try toPrimitiveOrUnknown(values[index], .string) }
        }
        for index in 0..<count {
            guard case .object(let object) = values[index], let opaque = object as? OpaqueObject else { continue }
            let pieces = (0...count).map { unit.text(texts + Int32(truncatingIfNeeded: $0)).string }
            var origin = "`"
            for (index, piece) in pieces.enumerated() {
                origin += piece
                if index < count { origin += "${\(describe(values[index]))}" }
            }
            return opaque.leading(to: origin + "`", by: .template(pieces, (0..<count).map { values[$0] }))
        }
        var result = unit.text(texts)
        for index in 0..<count {
            result = try join(result, try toText(values[index]))
            result = try join(result, unit.text(texts + Int32(truncatingIfNeeded: index + 1)))
        }
        return .text(result)
    }

    func makeFunction(_ code: Code, _ unit: Unit, _ frame: Frame) -> ScriptFunction {
        var captures = ContiguousArray<Cell>()
        captures.reserveCapacity(code.captures.count)
        for capture in code.captures {
            switch capture {
            case .cell(let place):
                if let cell = frame.cells[place] {
                    captures.append(cell)
                } else {
                    let cell = Cell(.absent)
                    frame.cells[place] = cell
                    captures.append(cell)
                }
            case .capture(let place):
                captures.append(frame.function?.captures[place] ?? Cell(.absent))
            case .imported: captures.append(Cell(.absent))
            }
        }
        return ScriptFunction(self, code, unit, captures, prototype: functionPrototype(code))
    }

    func functionPrototype(_ code: Code) -> ScriptObject {
        switch (code.isAsync, code.isGenerator) {
        case (false, false): prototype(.function)
        case (true, false): prototype(.asyncFunction)
        case (false, true): prototype(.generatorFunction)
        case (true, true): prototype(.asyncGeneratorFunction)
        }
    }

    /// SetFunctionName with a key that is known when the program runs.
    func setName(_ function: Value, _ key: Value, kind: Int) {
        guard case .object(let object) = function, let function = object as? ScriptFunction else { return }
        var name: [UInt16]
        switch key {
        case .text(let text): name = text.units
        case .symbol(let symbol):
            name =
                description(of: symbol).map {
                    symbol.isPrivate ? $0.units : Array("[".utf16) + $0.units + Array("]".utf16)
                } ?? []
        case .number(let number): name = NumberText.units(number)
        default: name = []
        }
        name = FunctionCompiler.prefixed(name, Int32(kind + 1))
        if function.state.contains(.isPending) {
            function.givenName = value(name)
        } else if let place = function.table.place(of: .known(.name)),
            case .text(let old) = function.table.value(at: place), old.isEmpty
        {
            function.table.setValue(value(name), at: place)
        }
    }

    func makeClass(
        _ code: Code, parent: Value, hasParent: Bool, _ unit: Unit, _ frame: Frame
    ) throws(Thrown) -> (ScriptObject, ScriptObject) {
        var prototypeParent: ScriptObject? = prototype(.object)
        var constructorParent = prototype(.function)
        if hasParent {
            switch parent {
            case .null: prototypeParent = nil
            case .object(let object) where object.isConstructor:
                constructorParent = object
                switch try object.get(.prototype) {
                case .object(let parent): prototypeParent = parent
                case .null: prototypeParent = nil
                case let other:
                    throw typeError("Class extends value does not have valid prototype property \(describe(other))")
                }
            default: throw typeError("Class extends value \(describe(parent)) is not a constructor or null")
            }
        }
        let constructor = makeFunction(code, unit, frame)
        constructor.prototype = constructorParent
        let prototype = ScriptObject(self, prototype: prototypeParent)
        if constructor.state.contains(.isPending) { constructor.prepare() }
        constructor.put(.known(.prototype), .object(prototype), [])
        constructor.home = prototype
        prototype.put(.known(.constructor), .object(constructor), .hidden)
        return (constructor, prototype)
    }

    /// The `arguments` of strict functions.
    func makeArguments(_ values: ContiguousArray<Value>) -> ScriptObject {
        let object = ArgumentsObject(self, prototype: prototype(.object))
        for (index, value) in values.enumerated() {
            object.put(PropertyKey(index: UInt32(truncatingIfNeeded: index)), value)
        }
        object.put(.known(.length), .number(Double(values.count)), .hidden)
        object.put(.known(.iterator), arrayValues, .hidden)
        let thrower = throwTypeError
        let accessor = Accessor(getter: thrower, setter: thrower, self)
        object.put(key("callee"), .object(accessor), .accessor)
        return object
    }

    // MARK: Calls

    enum Called {
        case value(Value)
        case frame(Frame)
    }

    func spreadCall(
        _ function: ScriptObject, this: Value, list: Value, newTarget: ScriptObject?
    ) throws(Thrown) -> Called {
        guard case .object(let object) = list, let array = object as? ScriptArray else {
            guard case .object(let unknown) = list else { return .value(.undefined) }
            if let opaque = function as? OpaqueObject { return .value(opaque.following("()")) }
            throw opaqueUse(unknown, "as the arguments of a function")
        }
        var elements = array.elements.map { $0.isAbsent ? Value.undefined : $0 }
        guard function.state.contains(.isScriptFunction) else {
            if newTarget != nil { return .value(.object(try construct(function, elements, newTarget: newTarget))) }
            return .value(try call(function, this: this, elements))
        }
        let script = unsafeDowncast(function, to: ScriptFunction.self)
        if newTarget == nil, script.code.isClass { throw classCall(script) }
        let count = elements.count
        elements.append(.undefined)
        let result: Result<Frame, Thrown> = elements.withUnsafeMutableBufferPointer { buffer in
            do throws(Thrown) {
                guard let start = buffer.baseAddress else { return .failure(typeError("No arguments")) }
                return .success(
                    try frame(for: script, this: this, start, count: count, newTarget: newTarget))
            } catch {
                return .failure(error)
            }
        }
        return .frame(try result.get())
    }

    func notCallable(_ value: Value, _ callee: Int32, _ code: Code, _ unit: Unit) -> Thrown {
        guard let callee = code.callee(callee) else { return typeError("\(describe(value)) is not a function") }
        return typeError(CalleeText.notCallable(callee, unit.program))
    }

    func notConstructor(_ value: Value, _ callee: Int32, _ code: Code, _ unit: Unit) -> Thrown {
        guard let callee = code.callee(callee) else { return typeError("\(describe(value)) is not a constructor") }
        if case .identifier(.known(.super)) = callee.expression.form { return superNotConstructor(value, code) }
        return typeError("\(CalleeText.render(callee, unit.program)) is not a constructor")
    }

    /// The parent that a class made by changing prototypes has; one without a parent has Function's prototype.
    func superNotConstructor(_ value: Value, _ code: Code) -> Thrown {
        var parent = describe(value)
        if case .object(let object) = value, object === prototype(.function) { parent = "null" }
        let name = code.name.isEmpty ? "anonymous class" : String(decoding: code.name, as: UTF16.self)
        return typeError("Super constructor \(parent) of \(name) is not a constructor")
    }

    /// Negative numbers stand for what has no text: -1 is shown by its value, -2 lies in another pattern.
    func cannotDestructure(_ value: Value, first: Int32, _ callee: Int32, _ code: Code, _ unit: Unit) -> Thrown {
        let source = code.callee(callee).map { CalleeText.render($0, unit.program) } ?? callSite(value)
        if first >= 0 {
            let name = String(decoding: unit.program.spelling(Name(number: first)), as: UTF16.self)
            if callee == -2 {
                return typeError("Cannot read properties of \(describe(value)) (reading '\(name)')")
            }
            return typeError("Cannot destructure property '\(name)' of '\(source)' as it is \(describe(value)).")
        }
        return typeError("Cannot destructure '\(source)' as it is \(describe(value)).")
    }

    // MARK: Operators

    func add(_ left: Value, _ right: Value) throws(Thrown) -> Value {
        if case .text(let left) = left, case .text(let right) = right { return .text(try join(left, right)) }
        for case .object(let object) in [left, right] {
            guard let opaque = object as? OpaqueObject else { continue }
            // Beside a text it is one: `bucket.bucketArn + '/*'` is a template.
            switch (left, right) {
            case (_, .text(let text)):
                return opaque.leading(to: "\(opaque.origin) + ...", by: .template(["", text.string], [left]))
            case (.text(let text), _):
                return opaque.leading(to: "... + \(opaque.origin)", by: .template([text.string, ""], [right]))
            case (.object(let first), .object(let second)) where first.isOpaque && second.isOpaque:
                return opaque.leading(to: "\(opaque.origin) + ...", by: .template(["", "", ""], [left, right]))
            default: return opaque.leading(to: "\(opaque.origin) + ...")
            }
        }
        let left = try toPrimitiveOrUnknown(left)
        let right = try toPrimitiveOrUnknown(right)
        for case .object in [left, right] { return try add(left, right) }
        if case .text(let left) = left { return .text(try join(left, try toText(right))) }
        if case .text(let right) = right { return .text(try join(try toText(left), right)) }
        let number = try toNumber(left)
        return .number(number + (try toNumber(right)))
    }

    @inline(__always)
    func toNumeric(_ value: Value) throws(Thrown) -> Double {
        try toNumber(value)
    }

    /// An operation with numbers of which one has to be made first. With what is known only outside, the result is as unknown.
    func calculateOther(_ operation: Operation, _ left: Value, _ right: Value) throws(Thrown) -> Value {
        for case .object(let object as OpaqueObject) in [left, right] where host.goesOn(without: object, in: self) {
            return object.leading(to: "\(object.origin) as a number")
        }
        let first = try toNumeric(left)
        let second = try toNumeric(right)
        switch operation {
        case .subtract: return .number(first - second)
        case .multiply: return .number(first * second)
        default: return .number(Self.calculate(operation, first, second))
        }
    }

    /// `-value` and `+value`
    func signed(_ value: Value, _ sign: Double) throws(Thrown) -> Value {
        if case .object = value { return try calculateOther(.multiply, value, .number(sign)) }
        let number = try toNumeric(value)
        return .number(sign < 0 ? -number : number)
    }

    static func calculate(_ operation: Operation, _ left: Double, _ right: Double) -> Double {
        switch operation {
        case .divide: return left / right
        case .remainder: return left.truncatingRemainder(dividingBy: right)
        case .power: return MathFunctions.pow(left, right)
        default: break
        }
        let first = Int32(bitPattern: wrapped(left))
        let second = wrapped(right)
        switch operation {
        case .shiftLeft: return Double(first &<< Int32(second & 31))
        case .shiftRight: return Double(first &>> Int32(second & 31))
        case .shiftRightUnsigned: return Double(UInt32(bitPattern: first) &>> (second & 31))
        case .and: return Double(first & Int32(bitPattern: second))
        case .or: return Double(first | Int32(bitPattern: second))
        default: return Double(first ^ Int32(bitPattern: second))
        }
    }
}

/// `arguments`
final class ArgumentsObject: ScriptObject {
    override var className: String { "Arguments" }
}
