/// Compiles one function, and those inside it on its way. The other files of this folder go through the statements,
/// expressions, patterns and classes; here are variables, labels and exits.
final class FunctionCompiler {
    enum Kind {
        case script, module
        case function(FunctionNode.Kind)
        /// Makes the fields of a class's objects, or its static ones.
        case fields
    }

    /// A place in the code that jumps name before it is known.
    struct Label {
        var number: Int
    }

    /// What `break` and `continue` leave.
    final class Target {
        let labels: [Name]
        let breakLabel: Label?
        let continueLabel: Label?
        /// Whether a `break` or `continue` without a name means it.
        let isPlain: Bool
        let depth: Int

        init(labels: [Name] = [], breakLabel: Label?, continueLabel: Label?, isPlain: Bool = true, depth: Int) {
            self.labels = labels
            self.breakLabel = breakLabel
            self.continueLabel = continueLabel
            self.isPlain = isPlain
            self.depth = depth
        }
    }

    /// Instructions whose errors are handled. Exits that lead out of it are not among them, although they stand there.
    final class Region {
        let depth: Int
        let target: Label
        var start: Int?
        var parts: [(start: Int, end: Int)] = []

        init(depth: Int, target: Label, start: Int) {
            self.depth = depth
            self.target = target
            self.start = start
        }
    }

    final class Finally {
        let label: Label
        let depth: Int
        var exits: [Exit] = []

        init(label: Label, depth: Int) {
            self.label = label
            self.depth = depth
        }
    }

    enum Exit {
        case breaking(Target)
        case continuing(Target)
        case returning
    }

    enum Control {
        case target(Target)
        case region(Region)
        case finally(Finally)
        case iterator(slot: Int, isAsync: Bool)
    }

    enum Resolved {
        case own(Variable)
        case capture(Int, Variable)
        case global
        case property(of: Name)
    }

    private enum Use {
        case access, declaration, promotion, renewal
    }

    struct Scope {
        var variables: [Name: Variable] = [:]
        /// Names that are properties of the object in a variable.
        var properties: [Name: Name] = [:]
    }

    let compiler: Compiler
    let parent: FunctionCompiler?
    let kind: Kind
    var isAsync = false
    var isGenerator = false
    var keepsArguments = false

    private(set) var instructions: [Instruction] = []
    private var marks: [Code.Mark] = []
    private var labels: [Int] = []
    private var jumps: [(instruction: Int, isB: Bool)] = []
    private var uses: [(instruction: Int, variable: Variable, use: Use)] = []
    private var handlers: [Code.Handler] = []
    private(set) var functions: [Code] = []
    private(set) var callees: [Callee] = []
    /// The expression that is compiled next is one whose elements are taken.
    var isIterated = false
    private var captures: [Code.Capture] = []
    private var capturePlaces: [ObjectIdentifier: Int] = [:]
    private var implicits: [(name: Name, variable: Variable)] = []
    var scopes: [Scope] = []
    var controls: [Control] = []
    /// The links of optional chains that find nothing, with what they leave on the stack.
    var chains: [[(label: Label, depth: Int)]] = []
    var pendingLabels: [Name] = []
    /// The name of a function expression, which it can call itself by.
    var selfName: Name?
    /// Names that a module exports, whose cells are made with it.
    var exported: Set<Name> = []
    var hiddenCount: Int32 = 0
    var depth = 0
    private var depthMax = 0
    #if DEBUG
        private var depths: [Int] = []
    #endif
    private(set) var localCount = 0
    private var cellCount = 0

    init(_ compiler: Compiler, parent: FunctionCompiler?, kind: Kind) {
        self.compiler = compiler
        self.parent = parent
        self.kind = kind
        scopes.append(Scope())
    }

    var isArrow: Bool {
        if case .function(.arrow) = kind { return true }
        return false
    }

    var isDerived: Bool {
        if case .function(.derivedConstructor) = kind { return true }
        return false
    }

    var isAsyncGenerator: Bool { isAsync && isGenerator }

    // MARK: Instructions

    var here: Int { instructions.count }

    @discardableResult
    func emit(_ operation: Operation, _ a: Int32 = 0, _ b: Int32 = 0) -> Int {
        instructions.append(Instruction(operation: operation, a: a, b: b))
        #if DEBUG
            depths.append(depth)
        #endif
        depth += Self.effect(of: operation, Int(a))
        if depth > depthMax { depthMax = depth }
        return instructions.count - 1
    }

    @discardableResult
    func emit(_ operation: Operation, count: Int, _ b: Int32 = 0) -> Int {
        emit(operation, Int32(truncatingIfNeeded: count), b)
    }

    @discardableResult
    func emit(_ operation: Operation, _ name: Name) -> Int {
        emit(operation, name.number)
    }

    func mark(_ place: Place) {
        if let last = marks.last {
            if last.place == place { return }
            if Int(last.instruction) == here {
                marks[marks.count - 1].place = place
                return
            }
        }
        marks.append(Code.Mark(instruction: Int32(truncatingIfNeeded: here), place: place))
    }

    func callee(_ expression: Expression, _ use: Callee.Use = .value) -> Int32 {
        callees.append(Callee(expression: expression, use: use))
        return Int32(truncatingIfNeeded: callees.count - 1)
    }

    func newLabel() -> Label {
        labels.append(-1)
        return Label(number: labels.count - 1)
    }

    func place(_ label: Label) {
        labels[label.number] = here
    }

    func jump(_ operation: Operation, _ label: Label, b: Int32 = 0) {
        jumps.append((here, false))
        emit(operation, Int32(truncatingIfNeeded: label.number), b)
    }

    /// A jump whose other number is a local, a kind or a callee.
    func jump(_ operation: Operation, a: Int, to label: Label) {
        jumps.append((here, true))
        emit(operation, Int32(truncatingIfNeeded: a), Int32(truncatingIfNeeded: label.number))
    }

    func newLocal() -> Int {
        localCount += 1
        return localCount - 1
    }

    func newLocals(_ count: Int) -> Int {
        localCount += count
        return localCount - count
    }

    func add(_ function: Code) -> Int {
        functions.append(function)
        return functions.count - 1
    }

    // MARK: Variables

    @discardableResult
    func declare(_ name: Name, isConstant: Bool = false, hasDeadZone: Bool, slot: Int? = nil) -> Variable {
        let variable = Variable(
            name, isConstant: isConstant, hasDeadZone: hasDeadZone, slot: slot ?? newLocal(), owner: self)
        scopes[scopes.count - 1].variables[name] = variable
        if scopes.count == 1, exported.contains(name) {
            variable.isExported = true
            giveCell(to: variable)
        }
        return variable
    }

    /// At the start of its scope: it gets its cell, or loses the value of the last time.
    func enter(_ variable: Variable) {
        uses.append((here, variable, .declaration))
        emit(.nothing)
    }

    /// A parameter, whose value is in its local already.
    func promote(_ variable: Variable) {
        uses.append((here, variable, .promotion))
        emit(.nothing)
    }

    /// Before the next turn of a loop, whose variables are others than those of this turn.
    func renew(_ variable: Variable) {
        uses.append((here, variable, .renewal))
        emit(.nothing)
    }

    func resolve(_ name: Name) -> Resolved {
        for scope in scopes.reversed() {
            if let variable = scope.variables[name] { return .own(variable) }
            if let object = scope.properties[name] { return .property(of: object) }
        }
        if let place = imports[name], let variable = importVariables[name] { return .capture(place, variable) }
        if let variable = implicitVariable(name) { return .own(variable) }
        guard let parent else { return .global }
        switch parent.resolve(name) {
        case .global: return .global
        case .property(let object): return .property(of: object)
        case .own(let variable):
            parent.giveCell(to: variable)
            return capture(variable, .cell(variable.cell))
        case .capture(let place, let variable): return capture(variable, .capture(place))
        }
    }

    func giveCell(to variable: Variable) {
        if variable.isCaptured { return }
        variable.isCaptured = true
        variable.cell = cellCount
        cellCount += 1
    }

    private func capture(_ variable: Variable, _ source: Code.Capture) -> Resolved {
        if let place = capturePlaces[ObjectIdentifier(variable)] { return .capture(place, variable) }
        captures.append(source)
        capturePlaces[ObjectIdentifier(variable)] = captures.count - 1
        return .capture(captures.count - 1, variable)
    }

    /// A binding of another module: a capture of the top code.
    func declareImport(_ name: Name, number: Int) {
        let variable = Variable(name, isConstant: true, hasDeadZone: true, slot: 0, owner: self)
        variable.isAlwaysChecked = true
        captures.append(.imported(number))
        imports[name] = captures.count - 1
        capturePlaces[ObjectIdentifier(variable)] = captures.count - 1
        importVariables[name] = variable
    }

    private var imports: [Name: Int] = [:]
    private var importVariables: [Name: Variable] = [:]

    /// `this`, `arguments` and what else every function but an arrow has; they become variables when somebody asks.
    private func implicitVariable(_ name: Name) -> Variable? {
        guard !isArrow else { return nil }
        if name == .known(.arguments), name != selfName {
            guard case .function(let kind) = kind, kind != .field, kind != .staticBlock else { return nil }
            keepsArguments = true
        } else if !(name.isImplicit && name.number > -16), name != selfName {
            return nil
        }
        let variable = Variable(
            name, isConstant: name == selfName, hasDeadZone: name == .thisVariable && isDerived, slot: newLocal(),
            owner: self)
        scopes[0].variables[name] = variable
        implicits.append((name, variable))
        return variable
    }

    enum Access {
        case get, set, pop
    }

    /// Reads a variable, or writes one that may have no value yet.
    func access(_ name: Name, _ access: Access, at place: Place) {
        emitAccess(resolve(name), name, access, at: place)
    }

    private func emitAccess(_ resolved: Resolved, _ name: Name, _ access: Access, at place: Place) {
        switch resolved {
        case .global:
            mark(place)
            switch access {
            case .get: emit(.getGlobal, name)
            case .set: emit(.setGlobal, name)
            case .pop:
                emit(.setGlobal, name)
                emit(.pop)
            }
        case .property(let object):
            mark(place)
            self.access(object, .get, at: place)
            switch access {
            case .get: emit(.getMember, name)
            case .set, .pop:
                emit(.swap)
                emit(.setMember, name)
                if access == .pop { emit(.pop) }
            }
        case .own(let variable):
            let isChecked = !variable.isInitialized || variable.isAlwaysChecked
            if isChecked { variable.isChecked = true }
            emitAccess(variable, capture: nil, isChecked: isChecked, access, at: place)
        case .capture(let capture, let variable):
            let isChecked = !variable.isInitialized || variable.isAlwaysChecked
            emitAccess(variable, capture: capture, isChecked: isChecked, access, at: place)
        }
    }

    private func emitAccess(_ variable: Variable, capture: Int?, isChecked: Bool, _ access: Access, at place: Place) {
        if isChecked { mark(place) }
        if variable.isConstant, access != .get {
            mark(place)
            if isChecked {
                emitAccess(variable, capture: capture, isChecked: true, .get, at: place)
                emit(.pop)
            }
            emit(.throwConstant, 0, variable.name.number)
            if access == .pop { emit(.pop) }
            return
        }
        let operation: Operation =
            switch (access, capture != nil, isChecked) {
            case (.get, false, false): .getLocal
            case (.get, false, true): .getLocalChecked
            case (.set, false, false): .setLocal
            case (.set, false, true): .setLocalChecked
            case (.pop, false, false): .popLocal
            case (.pop, false, true): .popLocalChecked
            case (.get, true, false): .getCapture
            case (.get, true, true): .getCaptureChecked
            case (.set, true, false): .setCapture
            case (.set, true, true): .setCaptureChecked
            case (.pop, true, false): .popCapture
            case (.pop, true, true): .popCaptureChecked
            }
        if let capture {
            emit(operation, Int32(truncatingIfNeeded: capture), variable.name.number)
        } else {
            uses.append((here, variable, .access))
            emit(operation, 0, variable.name.number)
        }
    }

    /// Takes the value and makes it the variable's first.
    func initialize(_ variable: Variable) {
        uses.append((here, variable, .access))
        emit(.popLocal, 0, variable.name.number)
        variable.isInitialized = true
    }

    /// The same for a name that is declared in a scope around, or for a variable of a script's top level.
    func initialize(_ name: Name, at place: Place) {
        for scope in scopes.reversed() {
            if let variable = scope.variables[name] { return initialize(variable) }
        }
        mark(place)
        emit(.initializeGlobal, name)
    }

    /// Reads an own variable or captured one without asking whether it has a value.
    func getRaw(_ name: Name) {
        switch resolve(name) {
        case .own(let variable): emitAccess(variable, capture: nil, isChecked: false, .get, at: .start)
        case .capture(let capture, let variable):
            emitAccess(variable, capture: capture, isChecked: false, .get, at: .start)
        default: emit(.undefined)
        }
    }

    func popRaw(_ name: Name) {
        switch resolve(name) {
        case .own(let variable): emitAccess(variable, capture: nil, isChecked: false, .pop, at: .start)
        case .capture(let capture, let variable):
            emitAccess(variable, capture: capture, isChecked: false, .pop, at: .start)
        default: emit(.pop)
        }
    }

    /// `name++` whose value nobody needs, in one instruction where that can be.
    func increment(_ name: Name, by number: Double, at place: Place) -> Bool {
        guard case .own(let variable) = resolve(name), variable.isInitialized, !variable.isAlwaysChecked,
            !variable.isConstant
        else { return false }
        mark(place)
        uses.append((here, variable, .access))
        emit(.incrementLocal, 0, number > 0 ? 1 : -1)
        return true
    }

    // MARK: Exits

    func open(_ target: Label) -> Region {
        let region = Region(depth: depth, target: target, start: here)
        controls.append(.region(region))
        return region
    }

    /// Ends the innermost region.
    func close(_ region: Region) {
        controls.removeLast()
        suspend(region)
        for part in region.parts {
            handlers.append(
                Code.Handler(start: part.start, end: part.end, target: region.target.number, depth: region.depth))
        }
    }

    private func suspend(_ region: Region) {
        guard let start = region.start else { return }
        if start < here { region.parts.append((start, here)) }
        region.start = nil
    }

    /// Leaves everything up to what the exit means; `return` finds its value on the stack. The code behind it goes on at
    /// the depth that the exit began with, less the value.
    func leave(_ exit: Exit, at place: Place) {
        let depthBefore = depth
        var suspended: [Region] = []
        var isDone = false
        for control in controls.reversed() {
            switch control {
            case .region(let region):
                if region.start != nil {
                    suspend(region)
                    suspended.append(region)
                }
            case .iterator(let slot, let isAsync):
                mark(place)
                emitClose(slot, isAsync: isAsync)
            case .target(let target):
                switch exit {
                case .breaking(let wanted) where wanted === target:
                    popTo(target.depth)
                    if let label = target.breakLabel { jump(.jump, label) }
                    isDone = true
                case .continuing(let wanted) where wanted === target:
                    popTo(target.depth)
                    if let label = target.continueLabel { jump(.jump, label) }
                    isDone = true
                default: break
                }
            case .finally(let finally):
                if case .returning = exit {
                    if depth - 1 > finally.depth { emit(.dropUnder, count: depth - 1 - finally.depth) }
                } else {
                    popTo(finally.depth)
                    emit(.undefined)
                }
                emit(.integer, count: 2 + number(of: exit, in: finally))
                jump(.jump, finally.label)
                isDone = true
            }
            if isDone { break }
        }
        if !isDone, case .returning = exit { emitReturn(at: place) }
        for region in suspended { region.start = here }
        depth = depthBefore
        if case .returning = exit { depth -= 1 }
    }

    private func popTo(_ target: Int) {
        while depth > target { emit(.pop) }
    }

    private func number(of exit: Exit, in finally: Finally) -> Int {
        for (number, known) in finally.exits.enumerated() {
            switch (exit, known) {
            case (.returning, .returning): return number
            case (.breaking(let one), .breaking(let other)) where one === other: return number
            case (.continuing(let one), .continuing(let other)) where one === other: return number
            default: break
            }
        }
        finally.exits.append(exit)
        return finally.exits.count - 1
    }

    private func emitReturn(at place: Place) {
        if isDerived {
            let label = newLabel()
            mark(place)
            jump(.jumpIfObject, label)
            emit(.requireUndefined)
            access(.thisVariable, .get, at: place)
            self.place(label)
        }
        emit(.returnValue)
    }

    /// The iterator's `return` is called where it is not done, and its errors count.
    func emitClose(_ slot: Int, isAsync: Bool) {
        if isAsync {
            emit(.returnIterator, count: slot, 1)
            emit(.await)
            emit(.requireResult)
        } else {
            emit(.closeIterator, count: slot, 1)
        }
    }

    // MARK: The end

    func finish(
        name: [UInt16], length: Int, parameterCount: Int, kind codeKind: CodeKind, range: PlaceRange, place: Place
    ) -> Code {
        emitPrologue()
        completeUses()
        completeJumps()
        let finished = handlers.map { handler in
            Code.Handler(
                start: handler.start, end: handler.end, target: labels[handler.target], depth: handler.depth)
        }
        var kind = codeKind
        kind.isAsync = isAsync
        kind.isGenerator = isGenerator
        let code = Code(
            name: name, instructions: instructions, functions: functions, handlers: finished, marks: marks,
            callees: callees, captures: captures, length: length,
            parameterCount: parameterCount, localCount: localCount, cellCount: cellCount, stackCount: depthMax + 4,
            kind: kind, keepsArguments: keepsArguments, range: range, place: place)
        #if DEBUG
            code.depths = depths
        #endif
        return code
    }

    /// The implicit variables get their values before anything else; the code stands at the end, because only there it is
    /// known which they are.
    private func emitPrologue() {
        guard !implicits.isEmpty else { return }
        let start = here
        depth = 0
        for (name, variable) in implicits {
            enter(variable)
            if name == .known(.arguments) {
                emit(.arguments)
            } else if name == .thisVariable {
                if isDerived {
                    emit(.absent)
                } else {
                    emit(.this)
                }
            } else if name == .newTargetVariable {
                emit(.newTarget)
            } else if name == .homeVariable {
                emit(.home)
            } else {
                emit(.function)
            }
            initialize(variable)
            if name == .thisVariable, isDerived { variable.isChecked = true }
        }
        emit(.jump, 1)
        instructions[0] = Instruction(operation: .jump, a: Int32(truncatingIfNeeded: start), b: 0)
    }

    private func completeUses() {
        for (instruction, variable, use) in uses {
            switch use {
            case .access:
                guard variable.isCaptured else {
                    instructions[instruction].a = Int32(truncatingIfNeeded: variable.slot)
                    continue
                }
                instructions[instruction].a = Int32(truncatingIfNeeded: variable.cell)
                instructions[instruction].operation =
                    switch instructions[instruction].operation {
                    case .getLocal: .getCell
                    case .getLocalChecked: .getCellChecked
                    case .setLocal: .setCell
                    case .setLocalChecked: .setCellChecked
                    case .popLocal: .popCell
                    case .popLocalChecked: .popCellChecked
                    case .incrementLocal: .incrementCell
                    case let other: other
                    }
            case .declaration:
                if variable.isExported { continue }
                if variable.isCaptured {
                    instructions[instruction] = Instruction(
                        operation: .makeCell, a: Int32(truncatingIfNeeded: variable.cell), b: 0)
                } else if variable.isChecked {
                    instructions[instruction] = Instruction(
                        operation: .clearLocal, a: Int32(truncatingIfNeeded: variable.slot), b: 0)
                }
            case .promotion:
                if variable.isCaptured {
                    instructions[instruction] = Instruction(
                        operation: .promote, a: Int32(truncatingIfNeeded: variable.cell),
                        b: Int32(truncatingIfNeeded: variable.slot))
                }
            case .renewal:
                if variable.isCaptured {
                    instructions[instruction] = Instruction(
                        operation: .renewCell, a: Int32(truncatingIfNeeded: variable.cell), b: 0)
                }
            }
        }
    }

    private func completeJumps() {
        for (instruction, isB) in jumps {
            if isB {
                instructions[instruction].b = Int32(truncatingIfNeeded: labels[Int(instructions[instruction].b)])
            } else {
                instructions[instruction].a = Int32(truncatingIfNeeded: labels[Int(instructions[instruction].a)])
            }
        }
    }

    /// How many values an instruction leaves on the stack, less those that it takes. In debug builds each instruction that
    /// runs is held to it.
    static func effect(of operation: Operation, _ a: Int) -> Int {
        switch operation {
        case .undefined, .null, .yes, .no, .absent, .integer, .number, .text, .regularExpression, .template, .this,
            .newTarget, .function, .home, .importMeta, .duplicate, .getLocal, .getLocalChecked, .getCell,
            .getCellChecked, .getCapture, .getCaptureChecked, .getGlobal, .getGlobalOrUndefined, .getMethod,
            .makePrivateKey, .hasGlobal, .object, .makeFunction, .makeClass, .stepIterator, .callIterator, .stepPattern,
            .restPattern, .returnIterator, .stepKeys, .arguments, .restArguments:
            1
        case .duplicateTwo: 2
        case .pop, .popLocal, .popLocalChecked, .popCell, .popCellChecked, .popCapture, .popCaptureChecked,
            .initializeGlobal, .setMember, .getIndex, .deleteIndex, .getPrivate, .hasPrivate, .field, .setPrototype,
            .copyProperties, .append, .appendAll, .setFields, .constructForward, .initializeFields, .requireAbsent,
            .importCall, .add, .subtract, .multiply, .divide, .remainder, .power, .shiftLeft, .shiftRight,
            .shiftRightUnsigned,
            .and, .or, .xor, .equal, .notEqual, .same, .notSame, .less, .lessOrEqual, .greater, .greaterOrEqual,
            .instanceOf, .isIn, .jumpIfFalse, .jumpIfTrue, .jumpIfFalseOrPop, .jumpIfTrueOrPop,
            .jumpUnlessNullishOrPop, .openIterator, .requireResult, .openKeys, .throwValue, .returnValue,
            .requireUndefined:
            -1
        case .setIndex, .getSuper, .setPrivate, .definePrivate, .define, .callSpread, .constructSpread,
            .jumpUnlessLess:
            -2
        case .setSuper: -3
        case .dropUnder, .restObject: -a
        case .array, .joinTemplate: 1 - a
        case .call, .construct: -(a + 1)
        case .nothing, .swap, .sink, .raise, .setLocal, .setLocalChecked, .setCell, .setCellChecked, .setCapture,
            .setCaptureChecked, .clearLocal, .makeCell, .promote, .renewCell, .throwConstant, .setGlobal,
            .requireGlobal, .declareGlobals, .getMember, .deleteMember, .getIndexMethod, .toKey, .toPropertyKey,
            .superBase, .getPrivateMethod, .appendHole, .setHome, .setName, .superConstructor, .minus, .plus, .not,
            .complement, .typeOf, .increment, .toNumeric, .incrementLocal, .incrementCell, .jump, .jumpIfNullish,
            .jumpUnlessUndefined, .jumpIfObject, .loop, .unpackIterator, .closeIterator, .endFinally, .jumpIfExit,
            .requireObject, .startGenerator, .startModule, .yield, .yieldRaw, .await, .delegate, .unpackDelegate,
            .jumpUnlessReturning, .setThrowing, .debugger:
            0
        }
    }
}
