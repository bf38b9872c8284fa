extension Realm {
    // MARK: For the host

    /// Runs a script's top level, and the jobs that it leaves.
    package func run(_ program: CompiledProgram) throws(ScriptError) {
        do throws(Thrown) {
            try runScript(program)
            try runJobs()
        } catch {
            throw scriptError(error, file: program.file)
        }
    }

    /// Evaluates a module and all that it imports, and gives its namespace. Promises are settled then; one that its top
    /// level waits for and that nobody settles is an error.
    package func module(_ specifier: String, from referrer: String = "") throws(ScriptError) -> ScriptObject {
        do throws(Thrown) {
            let record = try loadModule(specifier, from: referrer, isJSON: false)
            let promise = try evaluate(record)
            try runJobs()
            switch promise.settlement {
            case .fulfilled: return try namespace(record)
            case .rejected(let reason): throw Thrown.value(reason)
            case .pending:
                endTrace = waitingTrace(record)
                throw Thrown.ended(
                    .unsupported(
                        message: "A promise that the module waits for is never settled",
                        hint: "There are no timers and no network: settle it in the program itself."))
            }
        } catch {
            throw scriptError(error, file: specifier)
        }
    }

    /// Where the first module stands that still waits.
    private func waitingTrace(_ record: ModuleRecord) -> [TraceEntry] {
        for module in [record] + Array(modules.records.values) {
            guard let frame = module.frame, frame.coroutine?.outcome == .awaiting else { continue }
            return [TraceEntry(function: "", file: frame.unit.program.file, place: frame.place)]
        }
        return []
    }

    func runScript(_ program: CompiledProgram) throws(Thrown) {
        let unit = Unit(program, self)
        let function = ScriptFunction(self, program.top, unit, [], prototype: prototype(.function))
        _ = try callTop(function)
    }

    private func callTop(_ function: ScriptFunction) throws(Thrown) -> Value {
        try withUnsafeNoArguments { (start) throws(Thrown) in
            try call(function, this: .object(global), start, count: 0, newTarget: nil)
        }
    }

    private func withUnsafeNoArguments(
        _ body: (UnsafeMutablePointer<Value>) throws(Thrown) -> Value
    ) throws(Thrown) -> Value {
        let start = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        defer { start.deallocate() }
        return try body(start)
    }

    // MARK: Loading

    private func hostError(_ error: ScriptHostError, _ place: SourcePlace?) -> Thrown {
        let object = ErrorObject(
            self, text(error.message), prototype: prototype(error.isSyntax ? .syntaxError : .error))
        object.hint = error.hint
        object.isSyntax = error.isSyntax
        object.mistakePlace = place
        if let file = error.file, let place = error.place {
            object.mistakePlace = SourcePlace(file: file, place: place)
        }
        return .value(.object(object))
    }

    /// - Parameter place: where a module names it, if it is not a call of the program that loads it.
    func loadModule(
        _ specifier: String, from referrer: String, isJSON: Bool, at place: SourcePlace? = nil
    ) throws(Thrown) -> ModuleRecord {
        let address: String
        do throws(ScriptHostError) {
            address = try host.resolve(specifier, from: referrer)
        } catch {
            throw hostError(error, place)
        }
        return try module(at: address, isJSON: isJSON, place)
    }

    /// The module at an address, with all that it imports.
    private func module(
        at address: String, isJSON: Bool, _ place: SourcePlace?
    ) throws(Thrown) -> ModuleRecord {
        let key = ModuleTable.Key(address: address, isJSON: isJSON)
        if let known = modules.records[key] { return known }
        if modules.records.count >= limits.modules { throw .ended(.limit(.modules)) }
        let source: ModuleSource
        do throws(ScriptHostError) {
            source = try host.load(address, isJSON: isJSON, for: self)
        } catch {
            throw hostError(error, place)
        }
        let record: ModuleRecord
        switch source {
        case .program(let program):
            let unit = Unit(program, self)
            record = ModuleRecord(address, .program(unit))
            unit.module = record
        case .json(let units, let hasNames):
            let value = try parseJSON(units, of: address, place)
            var cells: [PropertyKey: Cell] = [:]
            if hasNames, case .object(let object) = value, !(object is ScriptArray) {
                for key in try object.ownKeys() { cells[key] = Cell(try object.get(key)) }
            }
            cells[.known(.default)] = Cell(value)
            record = ModuleRecord(address, .values(cells))
        case .native(let exports):
            var cells: [PropertyKey: Cell] = [:]
            for export in exports { cells[self.key(export.name)] = Cell(export.value) }
            record = ModuleRecord(address, .values(cells))
        case .opaque(let name):
            record = ModuleRecord(address, .opaque(name: name, place))
        }
        modules.records[key] = record
        guard let unit = record.unit else { return record }
        try enterNative()
        defer { leaveNative() }
        do throws(Thrown) {
            for request in unit.program.requests {
                let specifier = String(decoding: request.specifier, as: UTF16.self)
                let place = SourcePlace(file: unit.program.file, place: request.place)
                record.requests.append(
                    try loadModule(specifier, from: address, isJSON: request.isJSON, at: place))
            }
        } catch {
            modules.records[key] = nil
            throw error
        }
        noteEffects(of: record, unit.program)
        return record
    }

    /// Tells the host of modules that are imported for what they do alone, where nothing is known of them.
    private func noteEffects(of record: ModuleRecord, _ program: CompiledProgram) {
        for (number, request) in program.requests.enumerated() {
            guard case .opaque = record.requests[number].content,
                !program.imports.contains(where: { $0.request == number }),
                !program.exports.contains(where: { $0.source.request == number })
            else { continue }
            host.importsForEffect(
                record.requests[number].address, named: String(decoding: request.specifier, as: UTF16.self),
                at: SourcePlace(file: program.file, place: request.place))
        }
    }

    // MARK: Linking

    private enum Resolution {
        case binding(ModuleRecord.Binding)
        case ambiguous
        case none
    }

    private func link(_ record: ModuleRecord) throws(Thrown) {
        guard record.status == .unlinked else { return }
        record.status = .linking
        guard let unit = record.unit else {
            for request in record.requests { try link(request) }
            record.status = .linked
            return
        }
        let program = unit.program
        for (_, place) in program.exportCells where record.cells[place] == nil { record.cells[place] = Cell(.absent) }
        do throws(Thrown) {
            try enterNative()
            defer { leaveNative() }
            for request in record.requests { try link(request) }
            for entry in program.exports {
                if case .local = entry.source { continue }
                if let name = entry.name {
                    _ = try requireExport(
                        record, unit.key(name.number), in: program, entry.place, specifier: record.address)
                }
            }
            try instantiate(record, unit)
        } catch {
            record.status = .unlinked
            throw error
        }
        record.status = .linked
    }

    private func requireExport(
        _ record: ModuleRecord, _ key: PropertyKey, in program: CompiledProgram, _ place: Place, specifier: String
    ) throws(Thrown) -> ModuleRecord.Binding {
        var visited: [(ModuleRecord, PropertyKey)] = []
        switch resolveExport(record, key, &visited) {
        case .binding(let binding): return binding
        case .ambiguous, .none:
            var visited: [(ModuleRecord, PropertyKey)] = []
            var message =
                "The requested module '\(specifier)' does not provide an export named '\(describe(key))'"
            if case .ambiguous = resolveExport(record, key, &visited) {
                message =
                    "The requested module '\(specifier)' contains conflicting star exports for name '\(describe(key))'"
            }
            let error = ErrorObject(self, text(message), prototype: prototype(.syntaxError))
            error.isSyntax = true
            error.mistakePlace = SourcePlace(file: program.file, place: place)
            throw .value(.object(error))
        }
    }

    /// InitializeEnvironment: the module's function with its imports, run up to where its body begins.
    private func instantiate(_ record: ModuleRecord, _ unit: Unit) throws(Thrown) {
        let program = unit.program
        var bindings: [Cell] = []
        for entry in program.imports {
            let module = record.requests[entry.request]
            let specifier = String(decoding: program.requests[entry.request].specifier, as: UTF16.self)
            switch entry.source {
            case .namespace: bindings.append(Cell(.object(try namespace(module))))
            case .name(let name):
                let binding = try requireExport(
                    module, unit.key(name.number), in: program, entry.place, specifier: specifier)
                if unit.key(name.number) == .known(.default), module.unit != nil,
                    host.isDefaultWhole(of: module.address, for: record.address)
                {
                    bindings.append(Cell(.object(try namespace(module))))
                    continue
                }
                switch binding {
                case .cell(let cell): bindings.append(cell)
                case .namespace(let module): bindings.append(Cell(.object(try namespace(module))))
                }
            case .required:
                var visited: [(ModuleRecord, PropertyKey)] = []
                if case .binding(.cell(let cell)) = resolveExport(module, key("export="), &visited) {
                    bindings.append(cell)
                } else {
                    bindings.append(Cell(.object(try namespace(module))))
                }
            }
        }
        var captures = ContiguousArray<Cell>()
        for capture in program.top.captures {
            if case .imported(let number) = capture {
                captures.append(bindings[number])
            } else {
                captures.append(Cell(.absent))
            }
        }
        let function = ScriptFunction(self, program.top, unit, captures, prototype: prototype(.function))
        let frame = Frame(program.top, unit)
        frame.function = function
        frame.coroutine = Coroutine(promise())
        frame.coroutine?.isDetached = true
        for (place, cell) in record.cells { frame.cells[place] = cell }
        record.frame = frame
        _ = try resume(frame, .next(.undefined))
    }

    /// ResolveExport
    private func resolveExport(
        _ record: ModuleRecord, _ key: PropertyKey, _ visited: inout [(ModuleRecord, PropertyKey)]
    ) -> Resolution {
        if visited.contains(where: { $0.0 === record && $0.1 == key }) { return .none }
        visited.append((record, key))
        // A module that exports what another one exports, and so on.
        modules.resolvingDepth += 1
        defer { modules.resolvingDepth -= 1 }
        if modules.resolvingDepth > limits.nativeDepth { return .none }
        switch record.content {
        case .values(let cells): return cells[key].map { .binding(.cell($0)) } ?? .none
        case .opaque(let name, let place):
            if let known = record.opaqueCells[key] { return .binding(.cell(known)) }
            if let part = part(key, of: record) { return .binding(.namespace(part)) }
            let isDefault = key == .known(.default)
            let module = OpaqueObject.Module(
                address: record.address, name: isDefault ? nil : name, place: place)
            let origin = isDefault ? "import(\"\(name)\")" : describe(key)
            let cell = Cell(.object(OpaqueObject(self, origin: origin, from: module)))
            record.opaqueCells[key] = cell
            return .binding(.cell(cell))
        case .program(let unit):
            let program = unit.program
            for entry in program.exports {
                guard let name = entry.name, unit.key(name.number) == key else { continue }
                switch entry.source {
                case .local(let local):
                    if let place = program.exportCells[local] {
                        let cell = record.cells[place] ?? Cell(.absent)
                        record.cells[place] = cell
                        return .binding(.cell(cell))
                    }
                    // What is imported and exported again is the other module's.
                    guard let imported = program.imports.first(where: { $0.local == local }) else { return .none }
                    let module = record.requests[imported.request]
                    switch imported.source {
                    case .name(let name): return resolveExport(module, unit.key(name.number), &visited)
                    case .namespace: return .binding(.namespace(module))
                    case .required: return resolveExport(module, self.key("export="), &visited)
                    }
                case .imported(let request, let name):
                    return resolveExport(record.requests[request], unit.key(name.number), &visited)
                case .namespace(let request): return .binding(.namespace(record.requests[request]))
                case .all: continue
                }
            }
            if key == .known(.default) { return .none }
            var found: ModuleRecord.Binding?
            for entry in program.exports {
                guard case .all(let request) = entry.source, entry.name == nil else { continue }
                switch resolveExport(record.requests[request], key, &visited) {
                case .ambiguous: return .ambiguous
                case .none: continue
                case .binding(let binding):
                    switch (found, binding) {
                    case (nil, _): found = binding
                    case (.cell(let one), .cell(let other)) where one === other: break
                    case (.namespace(let one), .namespace(let other)) where one === other: break
                    default: return .ambiguous
                    }
                }
            }
            return found.map { .binding($0) } ?? .none
        }
    }

    /// The module that an export of an opaque one stands for; nil: it stands for a value. It is loaded, and run where it has code, when
    /// it is named for the first time.
    func part(_ key: PropertyKey, of whole: ModuleRecord) -> ModuleRecord? {
        guard key.name != nil, case .opaque(_, let place) = whole.content,
            let address = host.part(describe(key), of: whole.address),
            let record = try? module(at: address, isJSON: false, place)
        else { return nil }
        if record.unit != nil, (try? evaluate(record)) == nil { return nil }
        return record
    }

    /// GetExportedNames
    private func exportedNames(_ record: ModuleRecord, _ visited: inout [ModuleRecord]) -> [PropertyKey] {
        if visited.contains(where: { $0 === record }) { return [] }
        visited.append(record)
        modules.resolvingDepth += 1
        defer { modules.resolvingDepth -= 1 }
        if modules.resolvingDepth > limits.nativeDepth { return [] }
        switch record.content {
        case .opaque: return []
        case .values(let cells): return Array(cells.keys)
        case .program(let unit):
            var names: [PropertyKey] = []
            for entry in unit.program.exports { if let name = entry.name { names.append(unit.key(name.number)) } }
            for entry in unit.program.exports {
                guard case .all(let request) = entry.source, entry.name == nil else { continue }
                for name in exportedNames(record.requests[request], &visited)
                where name != .known(.default) && !names.contains(name) {
                    names.append(name)
                }
            }
            return names
        }
    }

    /// GetModuleNamespace
    func namespace(_ record: ModuleRecord) throws(Thrown) -> ScriptObject {
        if case .opaque(let name, let place) = record.content {
            if let known = record.opaqueNamespace { return known }
            let module = OpaqueObject.Module(address: record.address, name: nil, place: place)
            let object = OpaqueObject(self, origin: "\"\(name)\"", from: module)
            object.namespaceOf = record
            record.opaqueNamespace = object
            return object
        }
        if let known = record.namespace { return known }
        let namespace = ModuleNamespace(self)
        record.namespace = namespace
        var visited: [ModuleRecord] = []
        var exports: [(key: PropertyKey, binding: ModuleRecord.Binding)] = []
        for key in exportedNames(record, &visited) {
            var path: [(ModuleRecord, PropertyKey)] = []
            if case .binding(let binding) = resolveExport(record, key, &path) { exports.append((key, binding)) }
        }
        exports.sort { spelling($0.key).lexicographicallyPrecedes(spelling($1.key)) }
        var seen: [ModuleRecord] = []
        namespace.fill(exports, open: passesOnUnknown(record, &seen) ? record : nil)
        return namespace
    }

    /// Returns whether a module has `export * from` one of which nothing is known, itself or by others.
    private func passesOnUnknown(_ record: ModuleRecord, _ visited: inout [ModuleRecord]) -> Bool {
        guard let unit = record.unit, !visited.contains(where: { $0 === record }) else { return false }
        visited.append(record)
        modules.resolvingDepth += 1
        defer { modules.resolvingDepth -= 1 }
        if modules.resolvingDepth > limits.nativeDepth { return false }
        for entry in unit.program.exports {
            guard case .all(let request) = entry.source, entry.name == nil else { continue }
            let module = record.requests[request]
            if case .opaque = module.content { return true }
            if passesOnUnknown(module, &visited) { return true }
        }
        return false
    }

    /// The export of a module that it passes on without anybody knowing of it.
    func unknownExport(_ key: PropertyKey, of record: ModuleRecord) -> ModuleRecord.Binding? {
        var visited: [(ModuleRecord, PropertyKey)] = []
        if case .binding(let binding) = resolveExport(record, key, &visited) { return binding }
        return nil
    }

    /// `require` of a module: its exports, or what a JSON module holds.
    package func require(_ specifier: String, from referrer: String) throws(Thrown) -> Value {
        let record = try loadModule(specifier, from: referrer, isJSON: false)
        let promise = try evaluate(record)
        switch promise.settlement {
        case .fulfilled: break
        case .rejected(let reason): throw .value(reason)
        case .pending:
            throw .ended(
                .unsupported(
                    message: "require() of \(specifier), which waits at its top level",
                    hint: "Use import() and await it."))
        }
        if case .values(let cells) = record.content, let whole = cells[.known(.default)] { return whole.value }
        return .object(try namespace(record))
    }

    private func spelling(_ key: PropertyKey) -> [UInt16] {
        key.name.map { names.units(of: $0) } ?? Array(describe(key).utf16)
    }

    // MARK: Evaluation, as in the specification of modules

    func evaluate(_ start: ModuleRecord) throws(Thrown) -> PromiseObject {
        try link(start)
        var module = start
        if module.status == .evaluated || module.status == .evaluatingAsync { module = module.cycleRoot ?? module }
        if let promise = module.promise { return promise }
        let promise = promise()
        module.promise = promise
        var stack: [ModuleRecord] = []
        var index = 0
        do throws(Thrown) {
            try innerEvaluate(module, &stack, &index)
            if !module.hasAsyncEvaluation { promise.resolve(.undefined) }
        } catch {
            guard case .value(let reason) = error else { throw error }
            for member in stack {
                member.status = .evaluated
                member.error = reason
                member.cycleRoot = member
            }
            promise.reject(reason)
        }
        return promise
    }

    private func innerEvaluate(
        _ module: ModuleRecord, _ stack: inout [ModuleRecord], _ index: inout Int
    ) throws(Thrown) {
        switch module.status {
        case .evaluated, .evaluatingAsync:
            if let error = module.error { throw .value(error) }
            return
        case .evaluating: return
        default: break
        }
        try enterNative()
        defer { leaveNative() }
        module.status = .evaluating
        module.index = index
        module.ancestorIndex = index
        index += 1
        stack.append(module)
        for request in module.requests {
            try innerEvaluate(request, &stack, &index)
            var required = request
            if required.status == .evaluating {
                module.ancestorIndex = min(module.ancestorIndex, required.ancestorIndex)
            } else {
                required = required.cycleRoot ?? required
                if let error = required.error { throw .value(error) }
            }
            if required.hasAsyncEvaluation, required.status != .evaluated {
                module.pendingDependencies += 1
                required.asyncParents.append(module)
            }
        }
        if module.pendingDependencies > 0 || module.hasTopLevelAwait {
            module.hasAsyncEvaluation = true
            modules.asyncCount += 1
            module.asyncOrder = modules.asyncCount
            if module.pendingDependencies == 0 { try executeAsync(module) }
        } else {
            try execute(module)
        }
        guard module.ancestorIndex == module.index else { return }
        while let member = stack.popLast() {
            member.status = member.hasAsyncEvaluation ? .evaluatingAsync : .evaluated
            member.cycleRoot = module
            if member === module { break }
        }
    }

    /// Runs the body of a module without `await`.
    private func execute(_ module: ModuleRecord) throws(Thrown) {
        guard let frame = module.frame, let promise = frame.coroutine?.promise else { return }
        _ = try resume(frame, .next(.undefined))
        module.frame = nil
        if case .rejected(let reason) = promise.settlement { throw .value(reason) }
    }

    private func executeAsync(_ module: ModuleRecord) throws(Thrown) {
        guard let frame = module.frame, let promise = frame.coroutine?.promise else {
            return try fulfilled(module)
        }
        promise.react(
            .native { (realm, state) throws(Thrown) in
                // The frame has ended, so another call may have it now.
                module.frame = nil
                switch state {
                case .fulfilled: try realm.fulfilled(module)
                case .rejected(let reason): realm.rejected(module, reason)
                case .pending: break
                }
            })
        _ = try resume(frame, .next(.undefined))
    }

    private func fulfilled(_ module: ModuleRecord) throws(Thrown) {
        if module.status == .evaluated { return }
        module.status = .evaluated
        module.promise?.resolve(.undefined)
        var ready: [ModuleRecord] = []
        gatherReady(module, &ready)
        ready.sort { $0.asyncOrder < $1.asyncOrder }
        for parent in ready where parent.status != .evaluated {
            if parent.hasTopLevelAwait {
                try executeAsync(parent)
                continue
            }
            do throws(Thrown) {
                try execute(parent)
                parent.status = .evaluated
                parent.promise?.resolve(.undefined)
            } catch {
                guard case .value(let reason) = error else { throw error }
                rejected(parent, reason)
            }
        }
    }

    private func gatherReady(_ module: ModuleRecord, _ ready: inout [ModuleRecord]) {
        for parent in module.asyncParents where !ready.contains(where: { $0 === parent }) {
            guard parent.cycleRoot?.error == nil else { continue }
            parent.pendingDependencies -= 1
            if parent.pendingDependencies == 0 {
                ready.append(parent)
                if !parent.hasTopLevelAwait { gatherReady(parent, &ready) }
            }
        }
    }

    private func rejected(_ module: ModuleRecord, _ reason: Value) {
        if module.status == .evaluated { return }
        module.error = reason
        module.status = .evaluated
        module.promise?.reject(reason)
        for parent in module.asyncParents { rejected(parent, reason) }
    }

    // MARK: import() and import.meta

    func importMeta(_ unit: Unit) -> ScriptObject {
        if let known = unit.module?.meta { return known }
        let object = ScriptObject(self, prototype: nil)
        for (name, value) in host.meta(unit.module?.address ?? unit.program.file) {
            object.put(name, self.value(value))
        }
        unit.module?.meta = object
        return object
    }

    func importCall(_ specifier: Value, options: Value, _ unit: Unit) throws(Thrown) -> Value {
        let promise = promise()
        do throws(Thrown) {
            let name = try toText(specifier).string
            let isJSON = try asksForJSON(options)
            let referrer = unit.module?.address ?? unit.program.file
            let place = trace().first.map { SourcePlace(file: $0.file, place: $0.place) }
            let ready = self.promise()
            ready.resolve(.undefined)
            ready.react(
                .native { (realm, _) throws(Thrown) in
                    try realm.importNow(name, from: referrer, isJSON: isJSON, at: place, into: promise)
                })
        } catch {
            guard case .value(let reason) = error else { throw error }
            promise.reject(reason)
        }
        return .object(promise)
    }

    private func importNow(
        _ specifier: String, from referrer: String, isJSON: Bool, at place: SourcePlace?, into promise: PromiseObject
    ) throws(Thrown) {
        do throws(Thrown) {
            let record = try loadModule(specifier, from: referrer, isJSON: isJSON, at: place)
            if host.isMissing(record.address) { throw missingModule(specifier, from: referrer, at: place) }
            let evaluation = try evaluate(record)
            evaluation.react(.namespace(record, promise))
        } catch {
            guard case .value(let reason) = error else { throw error }
            promise.reject(reason)
        }
    }

    private func missingModule(_ specifier: String, from referrer: String, at place: SourcePlace?) -> Thrown {
        let error = ErrorObject(
            self, text("Cannot find module '\(specifier)' imported from \(referrer)"), prototype: prototype(.error))
        error.put("code", value("ERR_MODULE_NOT_FOUND"))
        error.mistakePlace = place
        error.hint = "There is no such module: write the file, or correct its path."
        return .value(.object(error))
    }

    /// The second argument of `import()`: `{ with: { type: "json" } }`.
    private func asksForJSON(_ options: Value) throws(Thrown) -> Bool {
        if options.isUndefined { return false }
        guard case .object(let object) = options else {
            throw typeError("The second argument of import() must be an object")
        }
        let attributes = try object.get("with")
        if attributes.isUndefined { return false }
        guard case .object(let attributes) = attributes else {
            throw typeError("The 'options.with' argument of import() must be an object")
        }
        var isJSON = false
        for key in try attributes.ownKeys() where !key.isSymbol {
            guard try attributes.ownProperty(key)?.isEnumerable == true else { continue }
            guard case .text(let value) = try attributes.get(key) else {
                throw typeError("Import attribute value must be a string")
            }
            guard key == self.key("type"), value.string == "json" else {
                throw typeError("Import attribute '\(describe(key))' with value '\(value.string)' is not supported")
            }
            isJSON = true
        }
        return isJSON
    }

    /// The value of a JSON module.
    private func parseJSON(
        _ units: [UInt16], of address: String, _ place: SourcePlace?
    ) throws(Thrown) -> Value {
        guard case .object(let json) = try global.get("JSON") else {
            throw typeError("There is no JSON")
        }
        do throws(Thrown) {
            return try invoke(.object(json), "parse", [value(units)])
        } catch {
            if case .value(.object(let object)) = error, let error = object as? ErrorObject {
                error.mistakePlace = place
                error.hint = "\(address) is not JSON."
            }
            throw error
        }
    }
}
