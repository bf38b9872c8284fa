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
    private let bytesMax: Int
    private let isOver: () -> Bool
    /// How many bytes there may be before the next look at the time.
    private var mark = 0

    private static let bytesPerLook = 64 << 10

    init(_ view: IntrospectionView, bytesMax: Int, isOver: @escaping () -> Bool) {
        self.view = view
        self.bytesMax = bytesMax
        self.isOver = isOver
    }

    private mutating func look(at count: Int) throws(Introspection.Failure) {
        guard count <= bytesMax else { throw .tooLong }
        guard count > mark else { return }
        mark = count + Self.bytesPerLook
        if isOver() { throw .interrupted }
    }

    mutating func write(
        _ subject: Subject, _ plan: IntrospectionPlan, to buffer: inout [UInt8]
    ) throws(Introspection.Failure) {
        buffer.append(UInt8(ascii: "{"))
        var isFirst = true
        for entry in plan.entries {
            // Behind each member: a name of the document may be long, and stand there many times.
            try look(at: buffer.count)
            if !isFirst { buffer.append(UInt8(ascii: ",")) }
            isFirst = false
            JSONWriter.writeKey(entry.responseName, to: &buffer)
            if entry.kind == .typename {
                JSONWriter.writeString(plan.typeName, to: &buffer)
                continue
            }
            switch subject {
            case .schema: try writeSchema(entry, to: &buffer)
            case .type(let type): try writeType(type, entry, to: &buffer)
            case .field(let field): try writeField(field, entry, to: &buffer)
            case .inputValue(let value): try writeInputValue(value, entry, to: &buffer)
            case .enumValue(let value): writeEnumValue(value, entry, to: &buffer)
            case .directive(let directive): try writeDirective(directive, entry, to: &buffer)
            }
        }
        buffer.append(UInt8(ascii: "}"))
    }

    private mutating func writeSchema(
        _ entry: IntrospectionPlan.Entry, to buffer: inout [UInt8]
    ) throws(Introspection.Failure) {
        switch entry.kind {
        case .description: write(schema.description, to: &buffer)
        case .types: try write(view.types.map { .type(TypeUse(named: $0)) }, entry, to: &buffer)
        case .queryType: try write(root: schema.queryType, entry, to: &buffer)
        case .mutationType: try write(root: schema.mutationType, entry, to: &buffer)
        case .subscriptionType: try write(root: schema.subscriptionType, entry, to: &buffer)
        case .directives: try write(view.directives.map(Subject.directive), entry, to: &buffer)
        default: JSONWriter.writeNull(to: &buffer)
        }
    }

    private mutating func write(
        root: TypeID?, _ entry: IntrospectionPlan.Entry, to buffer: inout [UInt8]
    ) throws(Introspection.Failure) {
        try write(root.map { .type(TypeUse(named: $0)) }, entry, to: &buffer)
    }

    private mutating func writeField(
        _ field: SchemaField, _ entry: IntrospectionPlan.Entry, to buffer: inout [UInt8]
    ) throws(Introspection.Failure) {
        switch entry.kind {
        case .name: JSONWriter.writeString(field.name, to: &buffer)
        case .description: write(field.description, to: &buffer)
        case .args: try write(field.arguments, entry, to: &buffer)
        case .type: try write(.type(field.type), entry, to: &buffer)
        default: writeDeprecation(field.deprecationReason, entry, to: &buffer)
        }
    }

    private mutating func writeInputValue(
        _ value: InputValue, _ entry: IntrospectionPlan.Entry, to buffer: inout [UInt8]
    ) throws(Introspection.Failure) {
        switch entry.kind {
        case .name: JSONWriter.writeString(value.name, to: &buffer)
        case .description: write(value.description, to: &buffer)
        case .type: try write(.type(value.type), entry, to: &buffer)
        case .defaultValue: write(value.defaultValue?.printed, to: &buffer)
        default: writeDeprecation(value.deprecationReason, entry, to: &buffer)
        }
    }

    private func writeEnumValue(_ value: EnumValue, _ entry: IntrospectionPlan.Entry, to buffer: inout [UInt8]) {
        switch entry.kind {
        case .name: JSONWriter.writeString(value.name, to: &buffer)
        case .description: write(value.description, to: &buffer)
        default: writeDeprecation(value.deprecationReason, entry, to: &buffer)
        }
    }

    private mutating func writeDirective(
        _ directive: SchemaDirective, _ entry: IntrospectionPlan.Entry, to buffer: inout [UInt8]
    ) throws(Introspection.Failure) {
        let locations = directive.locations
        switch entry.kind {
        case .name: JSONWriter.writeString(directive.name, to: &buffer)
        case .description: write(directive.description, to: &buffer)
        case .locations: JSONWriter.write(.array(locations.map { .string($0.rawValue) }), to: &buffer)
        case .args: try write(directive.arguments, entry, to: &buffer)
        case .isRepeatable: JSONWriter.writeBool(directive.isRepeatable, to: &buffer)
        case .onOperation:
            JSONWriter.writeBool(!locations.isDisjoint(with: [.query, .mutation, .subscription]), to: &buffer)
        case .onFragment:
            JSONWriter.writeBool(
                !locations.isDisjoint(with: [.fragmentDefinition, .fragmentSpread, .inlineFragment]), to: &buffer)
        case .onField: JSONWriter.writeBool(locations.contains(.field), to: &buffer)
        default: JSONWriter.writeNull(to: &buffer)
        }
    }

    private func writeDeprecation(_ reason: String?, _ entry: IntrospectionPlan.Entry, to buffer: inout [UInt8]) {
        if entry.kind == .isDeprecated {
            JSONWriter.writeBool(reason != nil, to: &buffer)
        } else {
            write(reason, to: &buffer)
        }
    }
}

extension IntrospectionWriter {
    private mutating func writeType(
        _ type: TypeUse, _ entry: IntrospectionPlan.Entry, to buffer: inout [UInt8]
    ) throws(Introspection.Failure) {
        guard type.wrapping.isNone else {
            switch entry.kind {
            case .kind: JSONWriter.writeString(type.isNonNull ? "NON_NULL" : "LIST", to: &buffer)
            case .ofType: try write(.type(type.isNonNull ? type.nullable : type.item), entry, to: &buffer)
            default: JSONWriter.writeNull(to: &buffer)
            }
            return
        }
        let named = schema[type.named]
        switch entry.kind {
        case .kind: JSONWriter.writeString(named.introspectionKind, to: &buffer)
        case .name: JSONWriter.writeString(named.name, to: &buffer)
        case .description: write(named.description, to: &buffer)
        default: try writeMembers(of: named, entry, to: &buffer)
        }
    }

    private mutating func writeMembers(
        of type: NamedType, _ entry: IntrospectionPlan.Entry, to buffer: inout [UInt8]
    ) throws(Introspection.Failure) {
        switch (entry.kind, type) {
        case (.fields, .object), (.fields, .interface):
            let fields = (type.fields?.fields ?? []).filter { entry.includesDeprecated || $0.deprecationReason == nil }
            try write(fields.map(Subject.field), entry, to: &buffer)
        case (.interfaces, .object(let object)): try write(types: object.interfaces, entry, to: &buffer)
        case (.interfaces, .interface(let interface)): try write(types: interface.interfaces, entry, to: &buffer)
        case (.possibleTypes, .interface), (.possibleTypes, .union):
            try write(types: schema.possibleTypes(of: type.id), entry, to: &buffer)
        case (.enumValues, .enum(let type)):
            let values = type.values.filter { entry.includesDeprecated || $0.deprecationReason == nil }
            try write(values.map(Subject.enumValue), entry, to: &buffer)
        case (.inputFields, .inputObject(let input)): try write(input.fields, entry, to: &buffer)
        case (.specifiedByURL, .scalar(let scalar)), (.specifiedByUrl, .scalar(let scalar)):
            write(scalar.specifiedByURL, to: &buffer)
        case (.isOneOf, .inputObject(let input)):
            JSONWriter.writeBool(input.directives.contains(named: "oneOf"), to: &buffer)
        default: JSONWriter.writeNull(to: &buffer)
        }
    }

    private mutating func write(
        types: [TypeID], _ entry: IntrospectionPlan.Entry, to buffer: inout [UInt8]
    ) throws(Introspection.Failure) {
        try write(types.map { .type(TypeUse(named: $0)) }, entry, to: &buffer)
    }

    private mutating func write(
        _ values: InputTable, _ entry: IntrospectionPlan.Entry, to buffer: inout [UInt8]
    ) throws(Introspection.Failure) {
        let shown = values.values.filter { entry.includesDeprecated || $0.deprecationReason == nil }
        try write(shown.map(Subject.inputValue), entry, to: &buffer)
    }

    private mutating func write(
        _ subjects: [Subject], _ entry: IntrospectionPlan.Entry, to buffer: inout [UInt8]
    ) throws(Introspection.Failure) {
        buffer.append(UInt8(ascii: "["))
        var isFirst = true
        for subject in subjects {
            if !isFirst { buffer.append(UInt8(ascii: ",")) }
            isFirst = false
            try write(subject, entry, to: &buffer)
        }
        buffer.append(UInt8(ascii: "]"))
    }

    private mutating func write(
        _ subject: Subject?, _ entry: IntrospectionPlan.Entry, to buffer: inout [UInt8]
    ) throws(Introspection.Failure) {
        guard let subject, let plan = entry.plan else { return JSONWriter.writeNull(to: &buffer) }
        try write(subject, plan, to: &buffer)
    }

    private func write(_ text: String?, to buffer: inout [UInt8]) {
        if let text { JSONWriter.writeString(text, to: &buffer) } else { JSONWriter.writeNull(to: &buffer) }
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
