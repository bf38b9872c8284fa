import GraphQL

/// What the language and the known packages bring along.
enum Natives {
    private static func function(_ name: String) -> (Position) -> ScriptValue {
        { .method(NativeMethod(receiver: .none, name: name, position: $0)) }
    }

    private static func object(_ kind: NativeObject.Kind, _ name: String) -> (Position) -> ScriptValue {
        { _ in .native(NativeObject(kind: kind, name: name)) }
    }

    static var globals: [String: (Position) -> ScriptValue] { GlobalTable.table }

    private enum GlobalTable {
        nonisolated(unsafe) static let table: [String: (Position) -> ScriptValue] = [
            "undefined": { _ in .undefined }, "NaN": { _ in .number(.nan) }, "Infinity": { _ in .number(.infinity) },
            "Object": object(.objects, "Object"), "Array": object(.lists, "Array"),
            "process": object(.process, "process"), "console": object(.console, "console"),
            "Number": function("Number"), "String": function("String"), "Boolean": function("Boolean"),
            "parseInt": function("parseInt"), "parseFloat": function("parseFloat"),
            // A module that holds a schema and nothing else may leave out its imports.
            "a": object(.builders, "a"), "defineData": function("defineData"),
        ]
    }

    /// What a known package exports; nil for all other packages.
    static func exports(of module: String, at position: Position) -> [String: ScriptValue]? {
        switch module {
        case "@aws-amplify/backend":
            var exports = ["a": object(.builders, "a")(position)]
            for name in [
                "defineData", "defineFunction", "secret", "defineAuth", "defineStorage", "defineBackend",
                "referenceAuth",
            ] {
                exports[name] = function(name)(position)
            }
            return exports
        case "@aws-amplify/data-schema": return ["a": object(.builders, "a")(position)]
        case "@aws-amplify/data-schema/internals": return ["configure": function("configure")(position)]
        case "@aws-amplify/backend-ai/conversation":
            return ["defineConversationHandlerFunction": function("defineConversationHandlerFunction")(position)]
        default: return nil
        }
    }

    static let builderNames =
        FieldBuilder.typeNames.keys.sorted() + [
            "schema", "combine", "model", "customType", "enum", "ref", "hasMany", "hasOne", "belongsTo", "query",
            "mutation", "subscription", "conversation", "generation",
        ]
    private static let validatorNames = [
        "minLength", "maxLength", "startsWith", "endsWith", "matches", "gt", "lt", "gte", "lte", "positive", "negative",
    ]

    static func member(
        _ name: String, of object: NativeObject, at position: Position, evaluator: ScriptEvaluator
    ) throws(TypeScriptError) -> ScriptValue {
        let known: [String]
        switch object.kind {
        case .builders:
            if name == "handler" { return .native(NativeObject(kind: .handlers, name: "a.handler")) }
            if name == "ai" { return .native(NativeObject(kind: .models, name: "a.ai")) }
            if name == "allow" {
                throw TypeScriptError(
                    "`a` has no `allow`: that is the form of the developer preview", at: position,
                    hint: "Write .authorization((allow) => [allow.owner()]).")
            }
            known = builderNames
        case .handlers: known = ["function", "custom", "inlineSql", "sqlReference"]
        case .models: known = ["model", "dataTool"]
        case .allow(let place): known = Rules.names(place)
        case .validator: known = validatorNames
        case .objects: known = ["keys", "values", "entries", "fromEntries", "assign", "freeze"]
        case .lists: known = ["isArray", "from", "of"]
        case .configured: known = ["schema"]
        case .console: known = [name]
        case .process:
            guard name == "env" else {
                return .opaque(OpaqueValue(TypeScriptError("process.\(name) is not known", at: position)))
            }
            return .native(NativeObject(kind: .environment, name: "process.env"))
        case .environment: return evaluator.environment(name).map { .string($0) } ?? .undefined
        case .schemaParts(let schema):
            guard let entry = schema.entries.first(where: { $0.part.name == name }) else {
                throw TypeScriptError("the schema has no \"\(name)\"", at: position)
            }
            return ScriptValue(entry.part.value)
        case .modelFields(let model):
            guard let field = model.fields.first(where: { $0.name == name }) else {
                throw TypeScriptError("the model has no field \"\(name)\"", at: position)
            }
            return ScriptValue(field.value)
        case .backend: known = []
        }
        guard known.contains(name) else {
            throw evaluator.refusal(of: name, receiver: "`\(object.name)`", known: known, at: position)
        }
        return .method(NativeMethod(receiver: .native(object), name: name, position: position))
    }

    /// Calls a method of something native.
    static func call(
        _ method: NativeMethod, of object: NativeObject, _ arguments: [PlacedValue], evaluator: ScriptEvaluator
    ) throws(TypeScriptError) -> ScriptValue {
        let given = BuilderArguments(arguments, of: method, evaluator)
        let calls = BuilderCalls(arguments: given)
        switch object.kind {
        case .builders: return .builder(try calls.builder())
        case .handlers: return .builder(try calls.handler())
        case .models:
            guard method.name == "model" else { return arguments.first?.value ?? .undefined }
            let object = ScriptObject()
            object.set("resourcePath", to: .string(try calls.modelPath()), at: given.position(of: 0))
            return .object(object)
        case .allow(let place): return .builder(try Rules(arguments: given).rule(place))
        case .validator(let field):
            try calls.validate(field)
            return .native(object)
        case .configured(let engine): return .builder(SchemaBuilder(engine: engine, entries: try calls.entries()))
        case .objects: return try objectMethod(method, arguments, evaluator: evaluator)
        case .lists: return try listMethod(method, arguments, evaluator: evaluator)
        default: return .undefined
        }
    }

    /// Calls a function that belongs to nothing.
    static func call(
        _ method: NativeMethod, _ arguments: [PlacedValue], at position: Position, evaluator: ScriptEvaluator
    ) throws(TypeScriptError) -> ScriptValue {
        let first = arguments.first ?? PlacedValue(value: .undefined, position: position)
        let calls = BuilderCalls(arguments: BuilderArguments(arguments, of: method, evaluator))
        switch method.name {
        case "defineData":
            let data = calls.data(at: position)
            evaluator.data.append(data)
            return .builder(data)
        case "configure": return .native(NativeObject(kind: .configured(try calls.engine()), name: "configure(...)"))
        case "index": return .builder(try calls.index())
        case "defineFunction", "defineConversationHandlerFunction":
            let reference = calls.functionReference(folder: evaluator.modules.name(ofFolderAt: position))
            let error = TypeScriptError("a function is no value that a schema can look into", at: position)
            return .opaque(OpaqueValue(error, function: reference))
        case "Number": return .number(try evaluator.number(first))
        case "String": return .string(arguments.isEmpty ? "" : try evaluator.text(of: first))
        case "Boolean": return .boolean(try evaluator.isTrue(first.value))
        case "parseInt", "parseFloat":
            let text = Texts.trimmed(try evaluator.text(of: first))
            let allowed = method.name == "parseInt" ? "+-0123456789" : "+-.0123456789"
            let digits = text.prefix { allowed.contains($0) }
            return .number(Double(digits) ?? .nan)
        default:
            return .opaque(OpaqueValue(TypeScriptError("what \(method.name) gives is not known here", at: position)))
        }
    }

    private static func objectMethod(
        _ method: NativeMethod, _ arguments: [PlacedValue], evaluator: ScriptEvaluator
    ) throws(TypeScriptError) -> ScriptValue {
        let position = arguments.first?.position ?? method.position
        func placed(_ value: ScriptValue) -> PlacedValue { PlacedValue(value: value, position: position) }
        if case .opaque(let opaque)? = arguments.first?.value { throw opaque.error }
        if method.name == "freeze" { return arguments.first?.value ?? .undefined }
        if method.name == "assign" {
            guard let target = arguments.first?.value.object else {
                throw TypeScriptError("expected an object", at: position)
            }
            for argument in arguments.dropFirst() {
                for member in argument.value.object?.members ?? [] {
                    try evaluator.spend(1, at: position)
                    target.set(member.name, at: member.position, to: try evaluator.value(of: member))
                }
            }
            return .object(target)
        }
        if method.name == "fromEntries" {
            guard let list = arguments.first?.value.list else { throw TypeScriptError("expected a list", at: position) }
            let object = ScriptObject()
            try evaluator.spend(list.elements.count, at: position)
            for entry in list.elements {
                guard let pair = entry.value.list?.elements, pair.count == 2 else {
                    throw TypeScriptError("expected a list of a name and a value", at: entry.position)
                }
                object.set(try evaluator.text(of: pair[0]), at: pair[0].position, to: pair[1])
            }
            return .object(object)
        }
        guard let object = arguments.first?.value.object else {
            throw TypeScriptError(
                "expected an object, found \((arguments.first?.value ?? .undefined).description)", at: position)
        }
        try evaluator.spend(object.members.count, at: position)
        var found: [PlacedValue] = []
        for member in object.members {
            switch method.name {
            case "keys": found.append(PlacedValue(value: .string(member.name), position: member.position))
            case "values": found.append(try evaluator.value(of: member))
            default:
                let name = PlacedValue(value: .string(member.name), position: member.position)
                found.append(placed(.list(ScriptList([name, try evaluator.value(of: member)]))))
            }
        }
        return .list(ScriptList(found))
    }

    private static func listMethod(
        _ method: NativeMethod, _ arguments: [PlacedValue], evaluator: ScriptEvaluator
    ) throws(TypeScriptError) -> ScriptValue {
        switch method.name {
        case "isArray":
            if case .list? = arguments.first?.value { return .boolean(true) }
            return .boolean(false)
        case "of": return .list(ScriptList(arguments))
        default:
            guard let list = arguments.first?.value.list else {
                throw TypeScriptError("expected a list", at: arguments.first?.position ?? method.position)
            }
            let copy = ScriptList(list.elements)
            guard arguments.count > 1 else { return .list(copy) }
            let map = NativeMethod(receiver: .list(copy), name: "map", position: method.position)
            return try evaluator.call(map, [arguments[1]], at: method.position)
        }
    }
}
