/// One world of objects: the library, the global variables, and all that programs in it make. It belongs to one thread at
/// a time. What it made ends with it.
package final class Realm {
    package let names: NameNumbers
    package private(set) var limits: ScriptLimits
    package let host: any ScriptHost
    let library: ScriptLibrary
    let heap: Heap
    let meter: MemoryMeter

    private(set) var symbolDescriptions: [Text?]
    /// `Symbol.for`
    var registeredSymbols: [[UInt16]: Symbol] = [:]
    var units: ContiguousArray<Text?>
    package let emptyText: Text

    private var prototypes: ContiguousArray<ScriptObject?>
    private var constructors: ContiguousArray<ScriptObject?>
    private var preparations: [ObjectIdentifier: NativePreparation] = [:]
    var hostClasses: [ObjectIdentifier: ScriptObject] = [:]
    private var globalObject: ScriptObject?
    /// `let`, `const` and classes of scripts' top levels.
    var lexicals: [PropertyKey: GlobalLexical] = [:]

    /// Functions of the library that it needs itself.
    enum Special: Hashable {
        case throwTypeError, arrayValues, arrayIteratorNext
    }

    /// Lists whose texts are being made.
    var joining: [ScriptObject] = []

    var special: [Special: ScriptObject] = [:]

    /// The frame that runs.
    var current: Frame?
    var freeFrames: [Frame] = []
    var callDepth = 0
    /// Where the value that was thrown last was thrown, if it is no error, which would know.
    var lastThrow: [TraceEntry] = []
    /// Where the program was when it was ended.
    var endTrace: [TraceEntry] = []
    /// The opaque value whose use was the last to be refused, and who used it.
    var unknownUse: (object: OpaqueObject, frame: ObjectIdentifier?)?
    /// Opaque values in a text that a function of the library is making; nil: they stop it.
    var marks: TextMarks?
    private var nativeDepth = 0
    /// Steps until the bounds are looked at.
    var sliceSteps: Int
    private var stepsLeft: Int
    private var deadline: RunDeadline
    /// What it was like when it was sealed, if it was.
    var seal: RealmSeal?
    /// Keys as Swift's strings, by the numbers of their names, for the host.
    var strings: ContiguousArray<String?> = []
    private var jobs: [PromiseJob] = []
    private var firstJob = 0
    let modules: ModuleTable

    private static let freeFramesMax = 64

    struct GlobalLexical {
        var value: Value
        let isConstant: Bool
    }

    package init(
        host: any ScriptHost = QuietHost(), limits: ScriptLimits = ScriptLimits(), library: ScriptLibrary = .whole
    ) {
        self.host = host
        self.limits = limits
        self.library = library
        names = NameNumbers()
        meter = MemoryMeter(bytesMax: limits.memoryBytes)
        heap = Heap(meter)
        symbolDescriptions = []
        units = ContiguousArray(repeating: nil, count: 128)
        emptyText = Text([], meter)
        prototypes = ContiguousArray(repeating: nil, count: Intrinsic.allCases.count)
        constructors = ContiguousArray(repeating: nil, count: Intrinsic.allCases.count)
        sliceSteps = min(limits.stepsPerLook, limits.steps)
        stepsLeft = limits.steps - sliceSteps
        deadline = RunDeadline(milliseconds: limits.milliseconds)
        modules = ModuleTable()
        for symbol in WellKnownSymbol.allCases { symbolDescriptions.append(text(symbol.description)) }
    }

    deinit {
        jobs = []
        current = nil
        freeFrames = []
        lexicals = [:]
        modules.records = [:]
        heap.end()
    }

    /// How many symbols there are, those of every realm among them.
    var symbolCount: Int { symbolDescriptions.count }
    /// Nothing runs and nothing waits.
    var isIdle: Bool {
        callDepth == 0 && nativeDepth == 0 && current == nil && jobs.isEmpty && lexicals.isEmpty
            && modules.records.isEmpty && joining.isEmpty
    }

    /// New bounds, which count from here on.
    func start(_ limits: ScriptLimits) {
        self.limits = limits
        meter.begin(bytesMax: limits.memoryBytes)
        sliceSteps = min(limits.stepsPerLook, limits.steps)
        stepsLeft = limits.steps - sliceSteps
        deadline = RunDeadline(milliseconds: limits.milliseconds)
        lastThrow = []
        endTrace = []
        unknownUse = nil
    }

    /// Makes what is made only when somebody asks for it.
    func prepareAll() {
        for intrinsic in Intrinsic.allCases { _ = prototype(intrinsic) }
        for symbol in 0..<UInt16(128) { _ = text(unit: symbol) }
        _ = throwTypeError
        _ = arrayValues
        _ = arrayIteratorNext
        _ = global
        var isComplete = false
        while !isComplete {
            isComplete = true
            for object in heap.all where object.makeProperties() { isComplete = false }
        }
    }

    /// How many of its objects live.
    package var objectCount: Int { heap.count }
    package var bytes: Int { meter.bytes }

    // MARK: Names, texts, symbols

    package func key(_ name: String) -> PropertyKey {
        var name = name
        // Hot: the members of what a host lends are known names again and again.
        if let known = name.withUTF8({ names.known($0) }) { return PropertyKey(name: known) }
        return key(spelled: Array(name.utf16))
    }

    func key(spelled units: [UInt16]) -> PropertyKey {
        if let index = PropertyKey.index(spelledBy: units) { return PropertyKey(index: index) }
        let before = names.count
        let name = names.name(of: units)
        if names.count > before { meter.charge(64 + units.count * 2) }
        return PropertyKey(name: name)
    }

    package func key(_ text: Text) -> PropertyKey {
        if text.key == .none { text.key = key(spelled: text.units) }
        return text.key
    }

    /// The key of an index, which is a name where it is beyond those of lists.
    package func key(index: Double) -> PropertyKey {
        if index >= 0, index <= Double(PropertyKey.indexMax), let index = UInt32(exactly: index) {
            return PropertyKey(index: index)
        }
        return key(spelled: NumberText.units(index))
    }

    package func text(_ units: [UInt16]) -> Text {
        if units.isEmpty { return emptyText }
        return Text(units, meter)
    }

    package func text(_ string: String) -> Text {
        text(TextUnits.units(of: string))
    }

    /// The text of one unit.
    package func text(unit: UInt16) -> Text {
        guard unit < 128 else { return Text([unit], meter) }
        if let known = units[Int(unit)] { return known }
        let text = Text([unit], meter)
        units[Int(unit)] = text
        return text
    }

    package func value(_ string: String) -> Value { .text(text(string)) }
    package func value(_ units: [UInt16]) -> Value { .text(text(units)) }

    /// A text that is as long as said; throws where that is too long. Ask before making it.
    package func checkText(length: Int) throws(Thrown) {
        if length > limits.textLength { throw .ended(.limit(.textLength)) }
        if meter.isExceeded { throw .ended(.limit(.memory)) }
    }

    package func join(_ left: Text, _ right: Text) throws(Thrown) -> Text {
        try checkText(length: left.count + right.count)
        return Text.join(left, right, meter)
    }

    package func symbol(description: Text?) -> Symbol {
        symbolDescriptions.append(description)
        meter.charge(16)
        return Symbol(number: UInt32(truncatingIfNeeded: symbolDescriptions.count - 1))
    }

    func privateSymbol(_ name: Text) -> Symbol {
        let symbol = symbol(description: name)
        return Symbol(number: symbol.number | Symbol.privateBit)
    }

    package func description(of symbol: Symbol) -> Text? {
        let index = Int(symbol.number & ~Symbol.privateBit)
        return symbolDescriptions.indices.contains(index) ? symbolDescriptions[index] : nil
    }

    /// A property key as the value that programs have for it.
    package func value(of key: PropertyKey) -> Value {
        if let index = key.index { return .text(text(NumberText.units(Double(index)))) }
        if let symbol = key.symbol { return .symbol(symbol) }
        guard let name = key.name else { return .undefined }
        let text = text(names.units(of: name))
        text.key = key
        return .text(text)
    }

    // MARK: Objects

    package var global: ScriptObject {
        if let globalObject { return globalObject }
        let object = GlobalObject(self)
        globalObject = object
        return object
    }

    package func object() -> ScriptObject {
        ScriptObject(self, prototype: prototype(.object))
    }

    package func array(_ elements: [Value] = []) -> ScriptArray {
        ScriptArray(self, ContiguousArray(elements))
    }

    package func array(_ elements: ContiguousArray<Value>) -> ScriptArray {
        ScriptArray(self, elements)
    }

    /// A function for callbacks that the library or the host gives away.
    package func function(
        _ name: String, length: Int, held: ContiguousArray<Value> = [], _ body: @escaping NativeFunction.Body
    ) -> NativeFunction {
        NativeFunction(self, name: name.isEmpty ? .text(emptyText) : value(name), length: length, held: held, body)
    }

    /// The prototype of a class of the library, made when it is first asked for.
    @inline(__always)
    package func prototype(_ intrinsic: Intrinsic) -> ScriptObject {
        prototypes[intrinsic.rawValue] ?? makePrototype(intrinsic)
    }

    package func constructor(_ intrinsic: Intrinsic) -> ScriptObject {
        constructors[intrinsic.rawValue] ?? makeConstructor(intrinsic)
    }

    private func makePrototype(_ intrinsic: Intrinsic) -> ScriptObject {
        let definition = library.definition(of: intrinsic)
        let parent = definition.prototypeParent.map { prototype($0) }
        let object: ScriptObject =
            if let make = definition.makePrototype {
                make(self, parent)
            } else {
                ScriptObject(self, prototype: parent)
            }
        prototypes[intrinsic.rawValue] = object
        preparations[ObjectIdentifier(object)] = .prototype(intrinsic)
        object.state.insert(.isPending)
        return object
    }

    private func makeConstructor(_ intrinsic: Intrinsic) -> ScriptObject {
        let definition = library.definition(of: intrinsic)
        let parent = definition.constructorParent.map { constructor($0) } ?? prototype(.function)
        let function = NativeFunction(
            self, name: value(definition.name), length: definition.length, isConstructor: true, prototype: parent,
            definition.construct)
        constructors[intrinsic.rawValue] = function
        preparations[ObjectIdentifier(function)] = .constructor(intrinsic)
        return function
    }

    /// Called by an object of the library that is pending.
    func prepare(_ object: ScriptObject) {
        guard let preparation = preparations.removeValue(forKey: ObjectIdentifier(object)) else { return }
        switch preparation {
        case .prototype(let intrinsic):
            let definition = library.definition(of: intrinsic)
            if definition.hasConstructor {
                let attributes: PropertyTable.Attributes = definition.hidesConstructor ? .configurable : .hidden
                object.put(.known(.constructor), .object(constructor(intrinsic)), attributes)
            }
            if let functions = definition.functionsClass {
                object.put(.known(.constructor), .object(prototype(functions)), .configurable)
            }
            if let function = definition.prototypeOfFunctions {
                object.put(.known(.prototype), .object(prototype(function)), .configurable)
            }
            install(definition.properties, on: object)
            remember(intrinsic, object)
        case .constructor(let intrinsic):
            let definition = library.definition(of: intrinsic)
            object.put(
                .known(.prototype), .object(prototype(intrinsic)),
                [])
            install(definition.statics, on: object)
        case .table(let table): install(table, on: object)
        }
    }

    /// Keeps the functions that the interpreter must know again, whatever a program does to their places.
    private func remember(_ intrinsic: Intrinsic, _ prototype: ScriptObject) {
        func own(_ key: PropertyKey) -> ScriptObject? {
            prototype.place(of: key).flatMap { prototype.table.value(at: $0).object }
        }
        switch intrinsic {
        case .array: special[.arrayValues] = own(.known(.iterator))
        case .arrayIterator: special[.arrayIteratorNext] = own(.known(.next))
        default: break
        }
    }

    /// An object whose properties are those of a table, made when one is first asked for.
    package func object(_ table: @escaping @Sendable () -> [NativeProperty], prototype parent: ScriptObject)
        -> ScriptObject
    {
        let object = ScriptObject(self, prototype: parent)
        preparations[ObjectIdentifier(object)] = .table(table())
        object.state.insert(.isPending)
        return object
    }

    // MARK: Bounds

    /// Counts the steps of a loop in a native function. Call it wherever what you do may take long.
    @inline(__always)
    package func spend(_ steps: Int = 1) throws(Thrown) {
        sliceSteps &-= steps
        if sliceSteps < 0 { try endSlice() }
    }

    package var stepsRemaining: Int { max(stepsLeft + sliceSteps, 0) }

    /// Looks at the bounds.
    func endSlice() throws(Thrown) {
        if meter.isExceeded { throw .ended(.limit(.memory)) }
        stepsLeft += sliceSteps
        sliceSteps = 0
        if stepsLeft < 0 { throw .ended(.limit(.steps)) }
        if deadline.isOver() { throw .ended(.limit(.time)) }
        let slice = min(limits.stepsPerLook, stepsLeft)
        stepsLeft -= slice
        sliceSteps = slice
    }

    func enterNative() throws(Thrown) {
        nativeDepth += 1
        if nativeDepth > limits.nativeDepth {
            nativeDepth -= 1
            throw .ended(.limit(.nativeDepth))
        }
    }

    func leaveNative() {
        nativeDepth -= 1
    }

    // MARK: Frames

    func frame(_ code: Code, _ unit: Unit) -> Frame {
        if let frame = freeFrames.popLast() {
            frame.reuse(code, unit)
            return frame
        }
        return Frame(code, unit)
    }

    func recycle(_ frame: Frame) {
        guard frame.holdsValues else { return }
        frame.empty()
        if freeFrames.count < Self.freeFramesMax { freeFrames.append(frame) }
    }

    // MARK: Jobs

    func enqueue(_ job: PromiseJob) {
        jobs.append(job)
        meter.charge(64)
    }

    /// Runs jobs until none is left.
    package func runJobs() throws(Thrown) {
        while firstJob < jobs.count {
            let job = jobs[firstJob]
            firstJob += 1
            meter.discharge(64)
            if firstJob > 1024, firstJob * 2 > jobs.count {
                jobs.removeFirst(firstJob)
                firstJob = 0
            }
            try spend()
            try run(job)
        }
        jobs = []
        firstJob = 0
    }
}
