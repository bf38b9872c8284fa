import Blueprint
import GraphQL
import Project
import Script

/// What programs see of builders: objects whose methods are the builders' modifiers.
extension ProgramRun {
    /// What a native function gives.
    enum Answer {
        case builder(Builder)
        case configured(SchemaBuilder.Engine)
        case function(FunctionReference, name: String)
        case secret(String)
        case model(path: String)
        case nothing
    }

    /// Runs the body of a native function, with its arguments as builders read them.
    static func native(
        _ call: NativeCall, _ name: String,
        _ body: (BuilderCalls, ProgramRun) throws(TypeScriptError) -> Answer
    ) throws(Thrown) -> ProgramValue {
        let realm = call.realm
        let run = try ProgramRun.of(realm)
        let arguments = BuilderArguments(
            call.arguments, of: name, at: run.files.position(realm.callPlace), run, realm)
        do throws(TypeScriptError) {
            return run.value(of: try body(BuilderCalls(arguments: arguments), run), at: arguments.position, realm)
        } catch {
            throw run.thrown(error, realm)
        }
    }

    static func missing(
        _ name: String, of receiver: String, known: [String], _ object: HostObject
    ) throws(Thrown) -> ProgramValue {
        // Whoever waits for a value, or writes it as JSON, looks for these.
        if name == "then" || name == "toJSON" { return .undefined }
        let run = try ProgramRun.of(object.realm)
        let known = known.filter { $0 != "relationships" }
        let list = known.isEmpty ? "it has no modifiers" : "it knows \(known.joined(separator: ", "))"
        throw run.thrown(
            TypeScriptError("\(receiver) has no `\(name)`: \(list)", at: run.files.position(object.realm.callPlace)),
            object.realm)
    }

    private func value(of answer: Answer, at position: Position, _ realm: Realm) -> ProgramValue {
        switch answer {
        case .builder(let builder):
            if !builder.madeAt.isKnown { builder.madeAt = position }
            return value(of: builder, realm)
        case .configured(let engine):
            return .object(realm.hostObject(ProgramModules.configured, ProgramModules.EngineMark(engine)))
        case .function(let reference, let name):
            let object = OpaqueObject(realm, origin: "\(name)()")
            remember(reference, object)
            return .object(object)
        case .secret(let name):
            let object = OpaqueObject(realm, origin: "secret()")
            remember(secret: name, object)
            return .object(object)
        case .model(let path):
            let object = realm.object()
            object.put("resourcePath", realm.value(path))
            return .object(object)
        case .nothing: return .undefined
        }
    }

    /// Reads what builders were given, from one on to all that it leads to, each of them once.
    func read(_ builder: Builder) throws(TypeScriptError) {
        var known: Set<ObjectIdentifier> = []
        var waiting = [builder]
        while let next = waiting.popLast() {
            guard known.insert(ObjectIdentifier(next)).inserted else { continue }
            waiting += try next.read().reversed()
        }
    }

    /// The object that stands for a builder, always the same one.
    func value(of builder: Builder, _ realm: Realm) -> ProgramValue {
        if let known = objects[ObjectIdentifier(builder)] { return .object(known) }
        let object = realm.hostObject(kind(of: builder), builder)
        objects[ObjectIdentifier(builder)] = object
        if builder.surface.isOpen {
            object.put(BuilderData.name, .object(realm.hostObject(Self.data, BuilderData(builder))))
            for name in builder.surface.properties { object.put(name, builder.shown[name] ?? .undefined) }
        }
        return .object(object)
    }

    /// Builders with one surface are objects of one class.
    private func kind(of builder: Builder) -> HostClass {
        let surface = builder.surface
        if let known = kinds[ObjectIdentifier(surface)] { return known }
        let isOpen = surface.isOpen
        let modifiers = surface.modifiers.map { modifier in
            NativeProperty.method(modifier.name, length: 1) { call throws(Thrown) in
                let builder: Builder = isOpen ? try call.heldPayload() : try call.payload()
                let made = try ProgramRun.native(copy call, modifier.name) { calls, _ throws(TypeScriptError) in
                    try modifier.change(builder, calls.arguments).map { .builder($0) } ?? .nothing
                }
                return made.isUndefined ? call.this : made
            }
        }
        let properties = surface.properties.map { property in
            NativeProperty.getter(property) { call throws(Thrown) in
                let builder: Builder = try call.payload()
                return builder.shown[property] ?? .undefined
            }
        }
        let kind = HostClass(
            "Builder", isOpen ? [] : modifiers + properties, own: isOpen ? modifiers : [],
            missing: Self.missingMember, inspected: isOpen ? nil : Self.inspectedBuilder)
        kinds[ObjectIdentifier(surface)] = kind
        return kind
    }

    private static let missingMember: HostClass.Missing = { object, name throws(Thrown) in
        guard let builder = object.payload as? Builder else { return .undefined }
        let known = builder.surface.modifiers.map(\.name)
        return try missing(name, of: builder.label, known: known, object)
    }

    private static let inspectedBuilder: HostClass.Inspected = { object throws(Thrown) in
        throw inspected((object.payload as? Builder)?.label ?? "a builder")
    }

    /// What builders keep under `data`: nothing that programs can look into.
    private static let data = HostClass(
        "Data", [],
        missing: { object, name throws(Thrown) in
            if name == "then" || name == "toJSON" { return .undefined }
            throw inspected(
                "`\(BuilderData.name)` of \((object.payload as? BuilderData)?.builder.label ?? "a builder")")
        },
        inspected: { object throws(Thrown) in
            throw inspected(
                "`\(BuilderData.name)` of \((object.payload as? BuilderData)?.builder.label ?? "a builder")")
        })

    private static func inspected(_ what: String) -> Thrown {
        .ended(
            .host(
                message: "\(what) is looked into, and its members are not those of Amplify's own object",
                hint: "Keep what you need of it in a variable of your own."))
    }
}
