import Blueprint
import GraphQL
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

    /// The object that stands for a builder, always the same one.
    func value(of builder: Builder, _ realm: Realm) -> ProgramValue {
        if let known = objects[ObjectIdentifier(builder)] { return .object(known) }
        let object = realm.hostObject(kind(of: builder), builder)
        objects[ObjectIdentifier(builder)] = object
        return .object(object)
    }

    /// An object with the parts of a schema or a model as its members.
    func value(_ parts: [NamedPart], _ realm: Realm) -> ProgramValue {
        let object = realm.object()
        for part in parts {
            guard let builder = part.builder else { continue }
            object.put(part.name, value(of: builder, realm))
        }
        return .object(object)
    }

    /// Builders with one surface are objects of one class.
    private func kind(of builder: Builder) -> HostClass {
        let surface = builder.surface
        if let known = kinds[ObjectIdentifier(surface)] { return known }
        let modifiers = surface.modifiers.map { modifier in
            NativeProperty.method(modifier.name, length: 1) { call throws(Thrown) in
                let builder: Builder = try call.payload()
                let made = try ProgramRun.native(copy call, modifier.name) { calls, _ throws(TypeScriptError) in
                    try modifier.change(builder, calls.arguments).map { .builder($0) } ?? .nothing
                }
                return made.isUndefined ? call.this : made
            }
        }
        let properties = surface.properties.map { property in
            NativeProperty.getter(property) { call throws(Thrown) in
                let builder: Builder = try call.payload()
                return try ProgramRun.of(call.realm).property(property, of: builder, call.realm)
            }
        }
        let kind = HostClass("Builder", modifiers + properties) { object, name throws(Thrown) in
            guard let builder = object.payload as? Builder else { return .undefined }
            let known = builder.surface.modifiers.map(\.name)
            return try ProgramRun.missing(name, of: builder.label, known: known, object)
        }
        kinds[ObjectIdentifier(surface)] = kind
        return kind
    }

    private func property(_ name: String, of builder: Builder, _ realm: Realm) -> ProgramValue {
        switch builder {
        case let list as EnumBuilder: return .object(realm.array(list.values.map { realm.value($0.text) }))
        case let model as ModelBuilder: return value(model.fields, realm)
        case let schema as SchemaBuilder: return value(schema.entries.map(\.part), realm)
        case let combined as CombinedBuilder:
            return .object(
                realm.array(combined.schemas.compactMap { $0.value.builder }.map { value(of: $0, realm) }))
        default: return .undefined
        }
    }
}
