extension Realm {
    /// Runs a frame, and all that it calls, until it returns or stops. One loop for all frames: a script function that
    /// calls another one does not call this function again. It is long because a loop over instructions is one switch.
    func run(_ entry: Frame, _ resumption: Resumption?) throws(Thrown) -> Value {
        var frame = entry
        let outer = current
        defer { current = outer }
        var pending: Thrown?
        if let resumption { pending = prepare(frame, resumption) }
        frames: while true {
            current = frame
            let code = frame.code
            let unit = frame.unit
            let start = code.instructions
            let base = frame.base
            let cells = frame.cells
            let bottom = base + code.localCount
            var sp = bottom + frame.stackCount
            var ip = frame.next
            while true {
                do throws(Thrown) {
                    if let error = pending {
                        pending = nil
                        throw error
                    }
                    while true {
                        let instruction = start[ip]
                        #if DEBUG
                            precondition(sp - bottom == code.depths[ip], "\(instruction) finds another stack")
                        #endif
                        ip += 1
                        frame.next = ip
                        let a = Int(instruction.a)
                        switch instruction.operation {
                        case .nothing, .debugger: break

                        // MARK: Values
                        case .undefined:
                            sp.initialize(to: .undefined)
                            sp += 1
                        case .null:
                            sp.initialize(to: .null)
                            sp += 1
                        case .yes:
                            sp.initialize(to: .boolean(true))
                            sp += 1
                        case .no:
                            sp.initialize(to: .boolean(false))
                            sp += 1
                        case .absent:
                            sp.initialize(to: .absent)
                            sp += 1
                        case .integer:
                            sp.initialize(to: .number(Double(instruction.a)))
                            sp += 1
                        case .number:
                            sp.initialize(to: .number(unit.program.numbers[a]))
                            sp += 1
                        case .text:
                            sp.initialize(to: .text(unit.text(instruction.a)))
                            sp += 1
                        case .regularExpression:
                            let value = try makeRegularExpression(
                                unit.text(instruction.a), unit.text(instruction.b))
                            sp.initialize(to: value)
                            sp += 1
                        case .template:
                            sp.initialize(to: .object(try unit.template(a)))
                            sp += 1
                        case .this:
                            sp.initialize(to: frame.this)
                            sp += 1
                        case .newTarget:
                            sp.initialize(to: frame.newTarget.map { .object($0) } ?? .undefined)
                            sp += 1
                        case .function:
                            sp.initialize(to: frame.function.map { .object($0) } ?? .undefined)
                            sp += 1
                        case .home:
                            sp.initialize(to: frame.function?.home.map { .object($0) } ?? .undefined)
                            sp += 1
                        case .importMeta:
                            sp.initialize(to: .object(importMeta(unit)))
                            sp += 1

                        // MARK: The stack
                        case .pop:
                            sp -= 1
                            sp.deinitialize(count: 1)
                        case .duplicate:
                            sp.initialize(to: sp[-1])
                            sp += 1
                        case .duplicateTwo:
                            sp.initialize(to: sp[-2])
                            (sp + 1).initialize(to: sp[-1])
                            sp += 2
                        case .swap:
                            let top = sp[-1]
                            sp[-1] = sp[-2]
                            sp[-2] = top
                        case .sink:
                            let value = (sp - 1).move()
                            let place = sp - 1 - a
                            (place + 1).moveInitialize(from: place, count: a)
                            place.initialize(to: value)
                        case .raise:
                            let place = sp - 1 - a
                            let value = place.move()
                            place.moveInitialize(from: place + 1, count: a)
                            (sp - 1).initialize(to: value)
                        case .dropUnder:
                            let value = (sp - 1).move()
                            (sp - 1 - a).deinitialize(count: a)
                            sp -= a
                            (sp - 1).initialize(to: value)

                        // MARK: Variables
                        case .getLocal:
                            sp.initialize(to: base[a])
                            sp += 1
                        case .getLocalChecked:
                            let value = base[a]
                            if case .absent = value { throw noValue(instruction.b, unit) }
                            sp.initialize(to: value)
                            sp += 1
                        case .setLocal: base[a] = sp[-1]
                        case .setLocalChecked:
                            if case .absent = base[a] { throw noValue(instruction.b, unit) }
                            base[a] = sp[-1]
                        case .popLocal:
                            sp -= 1
                            base[a] = sp.move()
                        case .popLocalChecked:
                            if case .absent = base[a] { throw noValue(instruction.b, unit) }
                            sp -= 1
                            base[a] = sp.move()
                        case .getCell:
                            sp.initialize(to: cells[a]?.value ?? .undefined)
                            sp += 1
                        case .getCellChecked:
                            guard let cell = cells[a] else { throw noValue(instruction.b, unit) }
                            if case .absent = cell.value { throw noValue(instruction.b, unit) }
                            sp.initialize(to: cell.value)
                            sp += 1
                        case .setCell: cells[a]?.value = sp[-1]
                        case .setCellChecked:
                            guard let cell = cells[a] else { throw noValue(instruction.b, unit) }
                            if case .absent = cell.value { throw noValue(instruction.b, unit) }
                            cell.value = sp[-1]
                        case .popCell:
                            sp -= 1
                            cells[a]?.value = sp.move()
                        case .popCellChecked:
                            guard let cell = cells[a] else { throw noValue(instruction.b, unit) }
                            if case .absent = cell.value { throw noValue(instruction.b, unit) }
                            sp -= 1
                            cell.value = sp.move()
                        case .getCapture:
                            sp.initialize(to: frame.function?.captures[a].value ?? .undefined)
                            sp += 1
                        case .getCaptureChecked:
                            let value = frame.function?.captures[a].value ?? .undefined
                            if case .absent = value { throw noValue(instruction.b, unit) }
                            sp.initialize(to: value)
                            sp += 1
                        case .setCapture: frame.function?.captures[a].value = sp[-1]
                        case .setCaptureChecked:
                            guard let cell = frame.function?.captures[a] else { break }
                            if case .absent = cell.value { throw noValue(instruction.b, unit) }
                            cell.value = sp[-1]
                        case .popCapture:
                            sp -= 1
                            frame.function?.captures[a].value = sp.move()
                        case .popCaptureChecked:
                            guard let cell = frame.function?.captures[a] else { break }
                            if case .absent = cell.value { throw noValue(instruction.b, unit) }
                            sp -= 1
                            cell.value = sp.move()
                        case .clearLocal: base[a] = .absent
                        case .makeCell: cells[a] = Cell(.absent)
                        case .promote: cells[a] = Cell(base[Int(instruction.b)])
                        case .renewCell: cells[a] = Cell(cells[a]?.value ?? .undefined)
                        case .throwConstant: throw constantError(a, instruction.b, unit)
                        case .getGlobal:
                            sp.initialize(to: try global(unit.key(instruction.a)))
                            sp += 1
                        case .getGlobalOrUndefined:
                            sp.initialize(to: try globalOrUndefined(unit.key(instruction.a)))
                            sp += 1
                        case .setGlobal: try setGlobal(unit.key(instruction.a), sp[-1])
                        case .hasGlobal:
                            sp.initialize(to: .boolean(try hasGlobal(unit.key(instruction.a))))
                            sp += 1
                        case .requireGlobal:
                            if case .boolean(true) = base[Int(instruction.b)] { break }
                            throw missingGlobal(unit.key(instruction.a))
                        case .initializeGlobal:
                            sp -= 1
                            initializeGlobal(unit.key(instruction.a), sp.move())
                        case .declareGlobals: try declareGlobals(unit)

                        // MARK: Properties
                        case .getMember:
                            let key = unit.key(instruction.a)
                            let value: Value
                            if case .object(let object) = sp[-1] {
                                value = try object.get(key, receiver: sp[-1])
                            } else {
                                value = try get(sp[-1], key)
                            }
                            sp[-1] = value
                        case .getMethod:
                            let key = unit.key(instruction.a)
                            let value: Value
                            if case .object(let object) = sp[-1] {
                                value = try object.get(key, receiver: sp[-1])
                            } else {
                                value = try get(sp[-1], key)
                            }
                            sp.initialize(to: value)
                            sp += 1
                        case .setMember:
                            try set(sp[-2], unit.key(instruction.a), sp[-1])
                            let value = (sp - 1).move()
                            sp -= 1
                            sp[-1] = value
                        case .deleteMember:
                            try deleteProperty(sp[-1], unit.key(instruction.a))
                            sp[-1] = .boolean(true)
                        case .getIndex:
                            if case .number(let number) = sp[-1], case .object(let object) = sp[-2],
                                object.state.contains(.isArray), let index = Int32(exactly: number),
                                let element = unsafeDowncast(object, to: ScriptArray.self).element(at: Int(index))
                            {
                                sp -= 1
                                sp[-1] = element
                            } else {
                                let value = try getIndex(sp[-2], sp[-1])
                                sp -= 1
                                sp.deinitialize(count: 1)
                                sp[-1] = value
                            }
                        case .getIndexMethod:
                            let value = try getIndex(sp[-2], sp[-1])
                            sp[-1] = value
                        case .setIndex:
                            try setIndex(sp[-3], sp[-2], sp[-1])
                            let value = (sp - 1).move()
                            sp -= 2
                            sp.deinitialize(count: 1)
                            sp[-1] = value
                        case .deleteIndex:
                            if sp[-2].isNullish { throw nullishConversion(sp[-2]) }
                            try deleteProperty(sp[-2], try toKey(sp[-1]))
                            sp -= 1
                            sp.deinitialize(count: 1)
                            sp[-1] = .boolean(true)
                        case .toKey:
                            if sp[-2].isNullish { _ = try getIndex(sp[-2], sp[-1]) }
                            try convertKey(sp - 1)
                        case .toPropertyKey: try convertKey(sp - 1)
                        case .superBase:
                            let parent = try sp[-1].object?.getPrototype()
                            sp[-1] = parent.map { .object($0) } ?? .null
                        case .getSuper:
                            let value = try getSuper(this: sp[-3], key: sp[-2], base: sp[-1])
                            sp -= 2
                            sp.deinitialize(count: 2)
                            sp[-1] = value
                        case .setSuper:
                            try setSuper(this: sp[-4], key: sp[-3], base: sp[-2], sp[-1])
                            let value = (sp - 1).move()
                            sp -= 3
                            sp.deinitialize(count: 2)
                            sp[-1] = value
                        case .getPrivate:
                            let value = try getPrivate(sp[-2], sp[-1])
                            sp -= 1
                            sp.deinitialize(count: 1)
                            sp[-1] = value
                        case .getPrivateMethod:
                            let value = try getPrivate(sp[-2], sp[-1])
                            sp[-1] = value
                        case .setPrivate:
                            try setPrivate(sp[-3], sp[-2], sp[-1])
                            let value = (sp - 1).move()
                            sp -= 2
                            sp.deinitialize(count: 1)
                            sp[-1] = value
                        case .definePrivate:
                            try definePrivate(sp[-3], sp[-2], sp[-1], kind: a)
                            sp -= 2
                            sp.deinitialize(count: 2)
                        case .hasPrivate:
                            let value = try hasPrivate(sp[-2], sp[-1])
                            sp -= 1
                            sp.deinitialize(count: 1)
                            sp[-1] = .boolean(value)
                        case .makePrivateKey:
                            let name = text(unit.program.spellings[a])
                            sp.initialize(to: .symbol(privateSymbol(name)))
                            sp += 1

                        // MARK: Literals
                        case .object:
                            let object = ScriptObject(self, prototype: prototype(.object))
                            if a > 0 { object.table.reserveCapacity(min(a, 64)) }
                            sp.initialize(to: .object(object))
                            sp += 1
                        case .field:
                            if case .object(let object) = sp[-2] {
                                let key = unit.key(instruction.a)
                                if object.isOpaque {
                                    object.put(key, sp[-1])
                                } else if object.place(of: key) == nil {
                                    try object.append(key, sp[-1], .all)
                                } else {
                                    object.put(key, sp[-1])
                                }
                            }
                            sp -= 1
                            sp.deinitialize(count: 1)
                        case .define:
                            try define(sp[-3], sp[-2], sp[-1], kind: a, isEnumerable: instruction.b != 0)
                            sp -= 2
                            sp.deinitialize(count: 2)
                        case .setPrototype:
                            if case .object(let object) = sp[-2] {
                                switch sp[-1] {
                                case .object(let parent): _ = try object.setPrototype(parent)
                                case .null: _ = try object.setPrototype(nil)
                                default: break
                                }
                            }
                            sp -= 1
                            sp.deinitialize(count: 1)
                        case .copyProperties:
                            try copyProperties(sp - 2, from: sp[-1])
                            sp -= 1
                            sp.deinitialize(count: 1)
                        case .restObject:
                            let value = try restObject(sp - a - 1, keyCount: a)
                            sp -= a
                            sp.deinitialize(count: a)
                            sp[-1] = value
                        case .array:
                            var elements = ContiguousArray<Value>()
                            elements.reserveCapacity(a)
                            for place in (sp - a)..<sp { elements.append(place.pointee) }
                            sp -= a
                            sp.deinitialize(count: a)
                            sp.initialize(to: .object(ScriptArray(self, elements)))
                            sp += 1
                        case .append:
                            if case .object(let object) = sp[-2], let array = object as? ScriptArray {
                                try array.append(sp[-1])
                            }
                            sp -= 1
                            sp.deinitialize(count: 1)
                        case .appendHole:
                            if case .object(let object) = sp[-1], let array = object as? ScriptArray {
                                try array.append(.absent)
                            }
                        case .appendAll:
                            try appendAll(sp - 2, sp[-1], callee: instruction.b, code, unit)
                            sp -= 1
                            sp.deinitialize(count: 1)
                        case .joinTemplate:
                            let value = try joinTemplate(sp - a, count: a, texts: instruction.b, unit)
                            sp -= a
                            sp.deinitialize(count: a)
                            sp.initialize(to: value)
                            sp += 1
                        case .makeFunction:
                            sp.initialize(to: .object(makeFunction(code.functions[a], unit, frame)))
                            sp += 1
                        case .setHome:
                            if case .object(let function) = sp[-1], case .object(let home) = sp[-1 - a] {
                                (function as? ScriptFunction)?.home = home
                            }
                        case .setName: setName(sp[-1], sp[-1 - Int(instruction.b)], kind: a)
                        case .makeClass:
                            if library.isPlain { throw typeError("Classes are not supported") }
                            let (constructor, prototype) = try makeClass(
                                code.functions[a], parent: sp[-1], hasParent: instruction.b != 0, unit, frame)
                            sp[-1] = .object(constructor)
                            sp.initialize(to: .object(prototype))
                            sp += 1
                        case .setFields:
                            sp -= 1
                            if case .object(let fields) = sp.move(), case .object(let constructor) = sp[-2] {
                                (constructor as? ScriptFunction)?.fields = fields as? ScriptFunction
                            }

                        // MARK: Calls
                        case .call:
                            let arguments = sp - a
                            guard case .object(let object) = arguments[-1], object.isCallable else {
                                throw notCallable(arguments[-1], instruction.b, code, unit)
                            }
                            if object.state.contains(.isScriptFunction) {
                                let function = unsafeDowncast(object, to: ScriptFunction.self)
                                if function.code.isClass { throw classCall(function) }
                                let new = try self.frame(
                                    for: function, this: arguments[-2], arguments, count: a, newTarget: nil)
                                new.caller = frame
                                sp = arguments - 2
                                sp.deinitialize(count: a + 2)
                                frame.stackCount = sp - bottom
                                frame = new
                                continue frames
                            }
                            let value = try callNative(
                                object, this: arguments[-2], arguments, count: a, newTarget: nil)
                            if meter.isExceeded { throw Thrown.ended(.limit(.memory)) }
                            sp = arguments - 2
                            sp.deinitialize(count: a + 2)
                            sp.initialize(to: value)
                            sp += 1
                        case .construct:
                            let arguments = sp - a
                            guard case .object(let object) = arguments[-2], object.isConstructor, !library.isPlain,
                                case .object(let newTarget) = arguments[-1]
                            else { throw notConstructor(arguments[-2], instruction.b, code, unit) }
                            if object.state.contains(.isScriptFunction) {
                                let function = unsafeDowncast(object, to: ScriptFunction.self)
                                let new = try self.frame(
                                    for: function, this: .undefined, arguments, count: a, newTarget: newTarget)
                                new.caller = frame
                                sp = arguments - 2
                                sp.deinitialize(count: a + 2)
                                frame.stackCount = sp - bottom
                                frame = new
                                continue frames
                            }
                            let value = try callNative(
                                object, this: .undefined, arguments, count: a, newTarget: newTarget)
                            if meter.isExceeded { throw Thrown.ended(.limit(.memory)) }
                            sp = arguments - 2
                            sp.deinitialize(count: a + 2)
                            sp.initialize(to: value)
                            sp += 1
                        case .callSpread:
                            guard case .object(let function) = sp[-2], function.isCallable else {
                                throw notCallable(sp[-2], instruction.b, code, unit)
                            }
                            let called = try spreadCall(function, this: sp[-3], list: sp[-1], newTarget: nil)
                            sp -= 3
                            sp.deinitialize(count: 3)
                            switch called {
                            case .value(let value):
                                sp.initialize(to: value)
                                sp += 1
                            case .frame(let new):
                                new.caller = frame
                                frame.stackCount = sp - bottom
                                frame = new
                                continue frames
                            }
                        case .constructSpread:
                            guard case .object(let function) = sp[-3], function.isConstructor, !library.isPlain,
                                case .object(let newTarget) = sp[-2]
                            else { throw notConstructor(sp[-3], instruction.b, code, unit) }
                            let called = try spreadCall(
                                function, this: .undefined, list: sp[-1], newTarget: newTarget)
                            sp -= 3
                            sp.deinitialize(count: 3)
                            switch called {
                            case .value(let value):
                                sp.initialize(to: value)
                                sp += 1
                            case .frame(let new):
                                new.caller = frame
                                frame.stackCount = sp - bottom
                                frame = new
                                continue frames
                            }
                        case .superConstructor:
                            var parent = Value.undefined
                            if case .object(let function) = sp[-1] {
                                parent = try function.getPrototype().map { .object($0) } ?? .null
                            }
                            sp[-1] = parent
                        case .constructForward:
                            guard case .object(let parent) = sp[-2], parent.isConstructor,
                                case .object(let newTarget) = sp[-1]
                            else { throw superNotConstructor(sp[-2], code) }
                            let value = try construct(parent, Array(frame.arguments), newTarget: newTarget)
                            sp -= 1
                            sp.deinitialize(count: 1)
                            sp[-1] = .object(value)
                        case .initializeFields:
                            sp -= 1
                            guard case .object(let object) = sp.move(), let function = object as? ScriptFunction,
                                let fields = function.fields
                            else { break }
                            let new = try self.frame(for: fields, this: sp[-1], sp, count: 0, newTarget: nil)
                            new.caller = frame
                            new.returning = .discard
                            frame.stackCount = sp - bottom
                            frame = new
                            continue frames
                        case .requireAbsent:
                            sp -= 1
                            guard case .absent = sp.move() else {
                                throw referenceError("Super constructor may only be called once")
                            }
                        case .importCall:
                            let value = try importCall(sp[-2], options: sp[-1], unit)
                            sp -= 1
                            sp.deinitialize(count: 1)
                            sp[-1] = value

                        // MARK: Operators
                        case .add:
                            if case .number(let left) = sp[-2], case .number(let right) = sp[-1] {
                                sp -= 1
                                (sp - 1).initialize(to: .number(left + right))
                            } else {
                                let value = try add(sp[-2], sp[-1])
                                sp -= 1
                                sp.deinitialize(count: 1)
                                sp[-1] = value
                            }
                        case .subtract:
                            if case .number(let left) = sp[-2], case .number(let right) = sp[-1] {
                                sp -= 1
                                (sp - 1).initialize(to: .number(left - right))
                            } else {
                                let value = try calculateOther(.subtract, sp[-2], sp[-1])
                                sp -= 1
                                sp.deinitialize(count: 1)
                                sp[-1] = value
                            }
                        case .multiply:
                            if case .number(let left) = sp[-2], case .number(let right) = sp[-1] {
                                sp -= 1
                                (sp - 1).initialize(to: .number(left * right))
                            } else {
                                let value = try calculateOther(.multiply, sp[-2], sp[-1])
                                sp -= 1
                                sp.deinitialize(count: 1)
                                sp[-1] = value
                            }
                        case .divide, .remainder, .power, .shiftLeft, .shiftRight, .shiftRightUnsigned, .and, .or,
                            .xor:
                            if case .number(let left) = sp[-2], case .number(let right) = sp[-1] {
                                sp -= 1
                                (sp - 1).initialize(to: .number(Self.calculate(instruction.operation, left, right)))
                            } else {
                                let value = try calculateOther(instruction.operation, sp[-2], sp[-1])
                                sp -= 1
                                sp.deinitialize(count: 1)
                                sp[-1] = value
                            }
                        case .equal:
                            let value = try isEqual(sp[-2], sp[-1])
                            sp -= 1
                            sp.deinitialize(count: 1)
                            sp[-1] = .boolean(value)
                        case .notEqual:
                            let value = try isEqual(sp[-2], sp[-1])
                            sp -= 1
                            sp.deinitialize(count: 1)
                            sp[-1] = .boolean(!value)
                        case .same:
                            let value = try isStrictlyEqual(sp[-2], sp[-1])
                            sp -= 1
                            sp.deinitialize(count: 1)
                            sp[-1] = .boolean(value)
                        case .notSame:
                            let value = try isStrictlyEqual(sp[-2], sp[-1])
                            sp -= 1
                            sp.deinitialize(count: 1)
                            sp[-1] = .boolean(!value)
                        case .less:
                            let value: Bool
                            if case .number(let left) = sp[-2], case .number(let right) = sp[-1] {
                                value = left < right
                            } else {
                                value = try isLess(sp[-2], sp[-1]) ?? false
                            }
                            sp -= 1
                            sp.deinitialize(count: 1)
                            sp[-1] = .boolean(value)
                        case .lessOrEqual:
                            let value: Bool
                            if case .number(let left) = sp[-2], case .number(let right) = sp[-1] {
                                value = left <= right
                            } else {
                                value = try isLess(sp[-1], sp[-2], leftFirst: false) == false
                            }
                            sp -= 1
                            sp.deinitialize(count: 1)
                            sp[-1] = .boolean(value)
                        case .greater:
                            let value: Bool
                            if case .number(let left) = sp[-2], case .number(let right) = sp[-1] {
                                value = left > right
                            } else {
                                value = try isLess(sp[-1], sp[-2], leftFirst: false) ?? false
                            }
                            sp -= 1
                            sp.deinitialize(count: 1)
                            sp[-1] = .boolean(value)
                        case .greaterOrEqual:
                            let value: Bool
                            if case .number(let left) = sp[-2], case .number(let right) = sp[-1] {
                                value = left >= right
                            } else {
                                value = try isLess(sp[-2], sp[-1]) == false
                            }
                            sp -= 1
                            sp.deinitialize(count: 1)
                            sp[-1] = .boolean(value)
                        case .instanceOf:
                            let value = try isInstance(sp[-2], of: sp[-1])
                            sp -= 1
                            sp.deinitialize(count: 1)
                            sp[-1] = .boolean(value)
                        case .isIn:
                            guard case .object(let object) = sp[-1] else {
                                throw typeError(
                                    "Cannot use 'in' operator to search for '\(describe(sp[-2]))' in \(describe(sp[-1]))"
                                )
                            }
                            let value = try object.has(try toKey(sp[-2]))
                            sp -= 1
                            sp.deinitialize(count: 1)
                            sp[-1] = .boolean(value)
                        case .minus: sp[-1] = try signed(sp[-1], -1)
                        case .plus: sp[-1] = try signed(sp[-1], 1)
                        case .not: sp[-1] = .boolean(!(try toBoolean(sp[-1])))
                        case .complement:
                            sp[-1] = .number(Double(~Int32(bitPattern: Self.wrapped(try toNumeric(sp[-1])))))
                        case .typeOf:
                            if case .object(let object) = sp[-1], object.isOpaque {
                                sp[-1] = value(try typeName(ofUnknown: object))
                            } else {
                                sp[-1] = value(typeName(sp[-1]))
                            }
                        case .increment: sp[-1] = .number(try toNumeric(sp[-1]) + Double(instruction.a))
                        case .toNumeric: sp[-1] = .number(try toNumeric(sp[-1]))
                        case .incrementLocal:
                            if case .number(let number) = base[a] {
                                (base + a).initialize(to: .number(number + Double(instruction.b)))
                            } else {
                                base[a] = .number(try toNumeric(base[a]) + Double(instruction.b))
                            }
                        case .incrementCell:
                            if let cell = cells[a] {
                                cell.value = .number(try toNumeric(cell.value) + Double(instruction.b))
                            }

                        // MARK: Jumps
                        case .jump: ip = a
                        case .loop:
                            ip = a
                            sliceSteps &-= 1
                            if sliceSteps < 0 { try endSlice() }
                        case .jumpIfFalse:
                            let isTrue = try toBoolean(sp[-1])
                            sp -= 1
                            sp.deinitialize(count: 1)
                            if !isTrue { ip = a }
                        case .jumpIfTrue:
                            let isTrue = try toBoolean(sp[-1])
                            sp -= 1
                            sp.deinitialize(count: 1)
                            if isTrue { ip = a }
                        case .jumpIfFalseOrPop:
                            if try toBoolean(sp[-1]) {
                                sp -= 1
                                sp.deinitialize(count: 1)
                            } else {
                                ip = a
                            }
                        case .jumpIfTrueOrPop:
                            if try toBoolean(sp[-1]) {
                                ip = a
                            } else {
                                sp -= 1
                                sp.deinitialize(count: 1)
                            }
                        case .jumpUnlessNullishOrPop:
                            if sp[-1].isNullish {
                                sp -= 1
                                sp.deinitialize(count: 1)
                            } else {
                                ip = a
                            }
                        case .jumpIfNullish:
                            if sp[-1].isNullish {
                                sp -= 1
                                sp.deinitialize(count: 1)
                                ip = a
                            }
                        case .jumpUnlessUndefined: if !sp[-1].isUndefined { ip = a }
                        case .jumpIfObject: if case .object = sp[-1] { ip = a }
                        case .jumpUnlessLess:
                            if case .number(let left) = sp[-2], case .number(let right) = sp[-1] {
                                sp -= 2
                                if !(left < right) { ip = a }
                            } else {
                                let value = try isLess(sp[-2], sp[-1]) ?? false
                                sp -= 2
                                sp.deinitialize(count: 2)
                                if !value { ip = a }
                            }

                        // MARK: Iteration
                        case .openIterator:
                            try openIterator(base + a, sp[-1], Iteration(coded: instruction.b), code, unit)
                            sp -= 1
                            sp.deinitialize(count: 1)
                        case .stepIterator:
                            let value = try stepIterator(base + a)
                            if case .absent = value {
                                ip = Int(instruction.b)
                            } else {
                                sp.initialize(to: value)
                                sp += 1
                            }
                        case .callIterator:
                            sp.initialize(to: try callIterator(base + a))
                            sp += 1
                        case .unpackIterator:
                            let value = try unpackIterator(base + a, sp[-1])
                            if case .absent = value {
                                sp -= 1
                                sp.deinitialize(count: 1)
                                ip = Int(instruction.b)
                            } else {
                                sp[-1] = value
                            }
                        case .stepPattern:
                            sp.initialize(to: try stepPattern(base + a))
                            sp += 1
                        case .restPattern:
                            sp.initialize(to: try restPattern(base + a))
                            sp += 1
                        case .closeIterator: try closeIterator(base + a, reports: instruction.b != 0)
                        case .returnIterator:
                            sp.initialize(to: try returnIterator(base + a, reports: instruction.b != 0))
                            sp += 1
                        case .requireResult:
                            sp -= 1
                            let result = sp.move()
                            switch result {
                            case .object, .absent: break
                            default: throw typeError("\(describe(result)) is not an object")
                            }
                        case .openKeys:
                            sp -= 1
                            base[a] = try openKeys(sp.move())
                        case .stepKeys:
                            if let key = try stepKeys(base[a]) {
                                sp.initialize(to: key)
                                sp += 1
                            } else {
                                ip = Int(instruction.b)
                            }

                        // MARK: Ends
                        case .throwValue:
                            sp -= 1
                            let value = sp.move()
                            if !(value.object is ErrorObject) { lastThrow = trace() }
                            throw Thrown.value(value)
                        case .returnValue:
                            sp -= 1
                            var value = sp.move()
                            if let coroutine = frame.coroutine {
                                value = try end(coroutine, frame, value)
                            }
                            frame.stackCount = sp - bottom
                            callDepth -= 1
                            switch frame.returning {
                            case .leave:
                                if frame.newTarget != nil, !code.isDerived, !value.isObject { value = frame.this }
                                recycle(frame)
                                return value
                            case .push: break
                            case .construct: if !value.isObject { value = frame.this }
                            case .discard:
                                let caller = frame.caller
                                recycle(frame)
                                guard let caller else { return .undefined }
                                frame = caller
                                continue frames
                            }
                            let caller = frame.caller
                            recycle(frame)
                            guard let caller else { return value }
                            caller.push(value)
                            frame = caller
                            continue frames
                        case .requireUndefined:
                            sp -= 1
                            if !sp.move().isUndefined {
                                throw typeError("Derived constructors may only return object or undefined")
                            }
                        case .endFinally:
                            if case .number(let kind) = sp[-1] {
                                if kind == 0 {
                                    sp -= 2
                                    sp.deinitialize(count: 2)
                                    ip = a
                                } else if kind == 1 {
                                    sp -= 2
                                    throw Thrown.value(sp.move())
                                }
                            }
                        case .jumpIfExit:
                            if case .number(let kind) = sp[-1], kind == Double(instruction.b) {
                                sp -= 1
                                ip = a
                            }
                        case .requireObject:
                            if sp[-1].isNullish {
                                throw cannotDestructure(sp[-1], first: instruction.a, instruction.b, code, unit)
                            }

                        // MARK: Functions that stop and go on
                        case .startGenerator, .startModule:
                            var value = Value.undefined
                            if instruction.operation == .startGenerator {
                                if library.isPlain { throw typeError("Generators are not supported") }
                                value = try makeGenerator(frame)
                            } else {
                                frame.coroutine?.outcome = .suspended
                            }
                            frame.stackCount = sp - bottom
                            callDepth -= 1
                            let caller = frame.caller
                            frame.caller = nil
                            if frame.returning == .leave { return value }
                            guard let caller else { return value }
                            caller.push(value)
                            frame = caller
                            continue frames
                        case .yield, .yieldRaw:
                            sp -= 1
                            let value = sp.move()
                            frame.stackCount = sp - bottom
                            frame.coroutine?.outcome = .suspended
                            callDepth -= 1
                            frame.caller = nil
                            return value
                        case .await:
                            sp -= 1
                            let value = sp.move()
                            frame.stackCount = sp - bottom
                            guard let coroutine = frame.coroutine else {
                                throw syntaxError(
                                    "await is only valid in async functions and the top level bodies of modules")
                            }
                            try wait(value, frame)
                            coroutine.outcome = .awaiting
                            callDepth -= 1
                            let caller = frame.caller
                            frame.caller = nil
                            let result: Value =
                                coroutine.isDetached ? .undefined : coroutine.promise.map { .object($0) } ?? .undefined
                            coroutine.isDetached = true
                            if frame.returning == .leave { return result }
                            guard let caller else { return result }
                            if frame.returning != .discard { caller.push(result) }
                            frame = caller
                            continue frames
                        case .delegate:
                            if let value = try delegate(base + a, sp[-1]) {
                                sp[-1] = value
                            } else {
                                ip = Int(instruction.b)
                            }
                        case .unpackDelegate:
                            guard case .object(let result) = sp[-1] else {
                                throw typeError("Iterator result \(describe(sp[-1])) is not an object")
                            }
                            if try toBoolean(try result.get(.done)) {
                                let value = try result.get(.value)
                                sp[-1] = value
                                ip = Int(instruction.b)
                            } else if code.isAsync {
                                let value = try result.get(.value)
                                sp[-1] = value
                            }
                        case .jumpUnlessReturning:
                            if case .number(2) = base[a] {} else { ip = Int(instruction.b) }
                        case .setThrowing: base[a] = .number(1)

                        case .arguments:
                            sp.initialize(to: .object(makeArguments(frame.arguments)))
                            sp += 1
                        case .restArguments:
                            let rest = frame.arguments.dropFirst(a)
                            sp.initialize(to: .object(ScriptArray(self, ContiguousArray(rest))))
                            sp += 1
                        }
                    }
                } catch {
                    frame.stackCount = sp - bottom
                    if case .ended = error, endTrace.isEmpty { endTrace = trace() }
                    if case .value(let value) = error {
                        if let handler = code.handler(of: ip - 1) {
                            let target = bottom + handler.depth
                            if sp > target { target.deinitialize(count: sp - target) }
                            sp = target
                            sp.initialize(to: value)
                            sp += 1
                            ip = handler.target
                            continue
                        }
                        if let coroutine = frame.coroutine, let promise = coroutine.promise, !code.isGenerator {
                            // An async function's error is its promise's.
                            promise.reject(value)
                            coroutine.outcome = .completed
                            callDepth -= 1
                            let result: Value = coroutine.isDetached ? .undefined : .object(promise)
                            let caller = frame.caller
                            let returning = frame.returning
                            recycle(frame)
                            if returning == .leave { return result }
                            guard let caller else { return result }
                            caller.push(result)
                            frame = caller
                            continue frames
                        }
                    }
                    frame.coroutine?.outcome = .completed
                    callDepth -= 1
                    let caller = frame.caller
                    let returning = frame.returning
                    recycle(frame)
                    guard returning != .leave, let caller else { throw error }
                    frame = caller
                    pending = error
                    continue frames
                }
            }
        }
    }

    /// Puts what a waiting frame goes on with where its code looks for it.
    private func prepare(_ frame: Frame, _ resumption: Resumption) -> Thrown? {
        guard frame.next > 0 else { return nil }
        let last = frame.code.instructions[frame.next - 1]
        if last.operation == .startGenerator || last.operation == .startModule { return nil }
        if last.operation == .yieldRaw {
            switch resumption {
            case .next(let value):
                frame.base[Int(last.a)] = .number(0)
                frame.push(value)
            case .throw(let value):
                frame.base[Int(last.a)] = .number(1)
                frame.push(value)
            case .return(let value):
                frame.base[Int(last.a)] = .number(2)
                frame.push(value)
            }
            return nil
        }
        switch resumption {
        case .next(let value): frame.push(value)
        case .throw(let value): return .value(value)
        case .return(let value):
            frame.push(value)
            if last.operation == .yield { frame.next += 1 }
        }
        return nil
    }
}

extension Frame {
    /// Puts a value on the stack of a frame that does not run.
    func push(_ value: Value) {
        (base + code.localCount + stackCount).initialize(to: value)
        stackCount += 1
    }
}
