import JSON

/// Writes what a plan asks about parts of a schema.
///
/// Hot path: an introspection answer has hundreds of thousands of values. It goes straight into bytes.
struct IntrospectionWriter {
    /// A thing that introspection has a type for.
    enum Subject {
        case schema
        case type(TypeUse)
        case field(SchemaField)
        case inputValue(InputValue)
        case enumValue(EnumValue)
        case directive(SchemaDirective)
    }

    let view: IntrospectionView
    private var schema: Schema { view.schema }
    private var writer: ResponseWriter
    private let isOver: () -> Bool

    init(_ view: IntrospectionView, bytesMax: Int, isOver: @escaping () -> Bool) {
        self.view = view
        writer = ResponseWriter(bytesMax: bytesMax)
        self.isOver = isOver
    }

    /// What was written.
    var bytes: [UInt8] { writer.bytes }

    mutating func writeNull() { JSONWriter.writeNull(to: &writer.bytes) }

    private mutating func look() throws(Introspection.Failure) {
        guard writer.bytes.count > writer.mark else { return }
        guard !writer.isTooLong else { throw .tooLong }
        writer.moveMark()
        if isOver() { throw .interrupted }
    }

    mutating func write(_ subject: Subject, _ plan: IntrospectionPlan) throws(Introspection.Failure) {
        let start = writer.bytes.count
        for entry in plan.entries {
            // Behind each member: a name of the document may be long, and stand there many times.
            try look()
            writer.bytes.append(contentsOf: entry.key)
            if entry.kind == .typename {
                JSONWriter.writeString(plan.typeName, to: &writer.bytes)
                continue
            }
            switch subject {
            case .schema: try writeSchema(entry)
            case .type(let type): try writeType(type, entry)
            case .field(let field): try writeField(field, entry)
            case .inputValue(let value): try writeInputValue(value, entry)
            case .enumValue(let value): writeEnumValue(value, entry)
            case .directive(let directive): try writeDirective(directive, entry)
            }
        }
        writer.endObject(from: start)
    }

    private mutating func writeSchema(
        _ entry: IntrospectionPlan.Entry
    ) throws(Introspection.Failure) {
        switch entry.kind {
        case .description: write(schema.description)
        case .types: try write(view.types.map { .type(TypeUse(named: $0)) }, entry)
        case .queryType: try write(root: schema.queryType, entry)
        case .mutationType: try write(root: schema.mutationType, entry)
        case .subscriptionType: try write(root: schema.subscriptionType, entry)
        case .directives: try write(view.directives.map(Subject.directive), entry)
        default: JSONWriter.writeNull(to: &writer.bytes)
        }
    }

    private mutating func write(
        root: TypeID?, _ entry: IntrospectionPlan.Entry
    ) throws(Introspection.Failure) {
        try write(root.map { .type(TypeUse(named: $0)) }, entry)
    }

    private mutating func writeField(
        _ field: SchemaField, _ entry: IntrospectionPlan.Entry
    ) throws(Introspection.Failure) {
        switch entry.kind {
        case .name: JSONWriter.writeString(field.name, to: &writer.bytes)
        case .description: write(field.description)
        case .args: try write(field.arguments, entry)
        case .type: try write(.type(field.type), entry)
        default: writeDeprecation(field.deprecationReason, entry)
        }
    }

    private mutating func writeInputValue(
        _ value: InputValue, _ entry: IntrospectionPlan.Entry
    ) throws(Introspection.Failure) {
        switch entry.kind {
        case .name: JSONWriter.writeString(value.name, to: &writer.bytes)
        case .description: write(value.description)
        case .type: try write(.type(value.type), entry)
        case .defaultValue: write(value.defaultValue?.printed)
        default: writeDeprecation(value.deprecationReason, entry)
        }
    }

    private mutating func writeEnumValue(_ value: EnumValue, _ entry: IntrospectionPlan.Entry) {
        switch entry.kind {
        case .name: JSONWriter.writeString(value.name, to: &writer.bytes)
        case .description: write(value.description)
        default: writeDeprecation(value.deprecationReason, entry)
        }
    }

    private mutating func writeDirective(
        _ directive: SchemaDirective, _ entry: IntrospectionPlan.Entry
    ) throws(Introspection.Failure) {
        let locations = directive.locations
        switch entry.kind {
        case .name: JSONWriter.writeString(directive.name, to: &writer.bytes)
        case .description: write(directive.description)
        case .locations:
            JSONWriter.write(.array(locations.map { .string($0.rawValue) }), to: &writer.bytes)
        case .args: try write(directive.arguments, entry)
        case .isRepeatable: JSONWriter.writeBool(directive.isRepeatable, to: &writer.bytes)
        case .onOperation:
            JSONWriter.writeBool(!locations.isDisjoint(with: [.query, .mutation, .subscription]), to: &writer.bytes)
        case .onFragment:
            JSONWriter.writeBool(
                !locations.isDisjoint(with: [.fragmentDefinition, .fragmentSpread, .inlineFragment]), to: &writer.bytes)
        case .onField: JSONWriter.writeBool(locations.contains(.field), to: &writer.bytes)
        default: JSONWriter.writeNull(to: &writer.bytes)
        }
    }

    private mutating func writeDeprecation(_ reason: String?, _ entry: IntrospectionPlan.Entry) {
        if entry.kind == .isDeprecated {
            JSONWriter.writeBool(reason != nil, to: &writer.bytes)
        } else {
            write(reason)
        }
    }
}

extension IntrospectionWriter {
    private mutating func writeType(
        _ type: TypeUse, _ entry: IntrospectionPlan.Entry
    ) throws(Introspection.Failure) {
        guard type.wrapping.isNone else {
            switch entry.kind {
            case .kind: JSONWriter.writeString(type.isNonNull ? "NON_NULL" : "LIST", to: &writer.bytes)
            case .ofType: try write(.type(type.isNonNull ? type.nullable : type.item), entry)
            default: JSONWriter.writeNull(to: &writer.bytes)
            }
            return
        }
        let named = schema[type.named]
        switch entry.kind {
        case .kind: JSONWriter.writeString(named.introspectionKind, to: &writer.bytes)
        case .name: JSONWriter.writeString(named.name, to: &writer.bytes)
        case .description: write(named.description)
        default: try writeMembers(of: named, entry)
        }
    }

    private mutating func writeMembers(
        of type: NamedType, _ entry: IntrospectionPlan.Entry
    ) throws(Introspection.Failure) {
        switch (entry.kind, type) {
        case (.fields, .object), (.fields, .interface):
            let fields = (type.fields?.fields ?? []).filter { entry.includesDeprecated || $0.deprecationReason == nil }
            try write(fields.map(Subject.field), entry)
        case (.interfaces, .object(let object)): try write(types: object.interfaces, entry)
        case (.interfaces, .interface(let interface)): try write(types: interface.interfaces, entry)
        case (.possibleTypes, .interface), (.possibleTypes, .union):
            try write(types: schema.possibleTypes(of: type.id), entry)
        case (.enumValues, .enum(let type)):
            let values = type.values.filter { entry.includesDeprecated || $0.deprecationReason == nil }
            try write(values.map(Subject.enumValue), entry)
        case (.inputFields, .inputObject(let input)): try write(input.fields, entry)
        case (.specifiedByURL, .scalar(let scalar)), (.specifiedByUrl, .scalar(let scalar)):
            write(scalar.specifiedByURL)
        case (.isOneOf, .inputObject(let input)):
            JSONWriter.writeBool(input.directives.contains(named: "oneOf"), to: &writer.bytes)
        default: JSONWriter.writeNull(to: &writer.bytes)
        }
    }

    private mutating func write(
        types: [TypeID], _ entry: IntrospectionPlan.Entry
    ) throws(Introspection.Failure) {
        try write(types.map { .type(TypeUse(named: $0)) }, entry)
    }

    private mutating func write(
        _ values: InputTable, _ entry: IntrospectionPlan.Entry
    ) throws(Introspection.Failure) {
        let shown = values.values.filter { entry.includesDeprecated || $0.deprecationReason == nil }
        try write(shown.map(Subject.inputValue), entry)
    }

    private mutating func write(
        _ subjects: [Subject], _ entry: IntrospectionPlan.Entry
    ) throws(Introspection.Failure) {
        writer.bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for subject in subjects {
            if !isFirst { writer.bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            try write(subject, entry)
        }
        writer.bytes.append(UInt8(ascii: "]"))
    }

    private mutating func write(
        _ subject: Subject?, _ entry: IntrospectionPlan.Entry
    ) throws(Introspection.Failure) {
        guard let subject, let plan = entry.plan else { return JSONWriter.writeNull(to: &writer.bytes) }
        try write(subject, plan)
    }

    private mutating func write(_ text: String?) {
        if let text { JSONWriter.writeString(text, to: &writer.bytes) } else { JSONWriter.writeNull(to: &writer.bytes) }
    }
}

extension [DirectiveLocation] {
    fileprivate func isDisjoint(with others: [DirectiveLocation]) -> Bool { !contains { others.contains($0) } }
}

extension NamedType {
    fileprivate var introspectionKind: String {
        switch self {
        case .scalar: "SCALAR"
        case .object: "OBJECT"
        case .interface: "INTERFACE"
        case .union: "UNION"
        case .enum: "ENUM"
        case .inputObject: "INPUT_OBJECT"
        }
    }
}
