/// A type that implements an interface has its fields and its interfaces. Specification: section 3.6,
/// IsValidImplementation().
enum InterfaceImplementations: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        for type in document.types where !type.interfaces.isEmpty {
            var seen: Set<String> = []
            for name in type.interfaces {
                guard case .interface(let interface)? = document.type(named: name.text) else {
                    report.add(
                        "Type \(type.name) must only implement Interface types, it cannot implement \(name).",
                        at: name.position)
                    continue
                }
                if name.text == type.name.text {
                    report.add(
                        "Type \(type.name) cannot implement itself because it would create a circular reference.",
                        at: name.position)
                    continue
                }
                guard seen.insert(name.text).inserted else {
                    report.add("Type \(type.name) can only implement \(name) once.", at: name.position)
                    continue
                }
                checkAncestors(type, interface, at: name.position, &report)
                checkFields(type, interface, document, &report)
            }
        }
    }

    private static func checkAncestors(
        _ type: TypeDefinition, _ interface: InterfaceTypeDefinition, at position: Position,
        _ report: inout SchemaReport
    ) {
        let own = Set(type.interfaces.map(\.text))
        for ancestor in interface.interfaces where !own.contains(ancestor.text) {
            report.add(
                ancestor.text == type.name.text
                    ? "Type \(type.name) cannot implement \(interface.name) because it would create a circular reference."
                    : "Type \(type.name) must implement \(ancestor) because it is implemented by \(interface.name).",
                at: ancestor.position, position)
        }
    }

    private static func checkFields(
        _ type: TypeDefinition, _ interface: InterfaceTypeDefinition, _ document: SchemaDocument,
        _ report: inout SchemaReport
    ) {
        let fields = Dictionary(type.fields.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
        for wanted in interface.fields {
            let place = "\(interface.name).\(wanted.name)"
            guard let field = fields[wanted.name.text] else {
                report.add(
                    "Interface field \(place) expected but \(type.name) does not provide it.", at: wanted.position,
                    type.position)
                continue
            }
            if !isSubtype(field.type, of: wanted.type, document) {
                report.add(
                    "Interface field \(place) expects type \(wanted.type) but \(type.name).\(field.name) is type \(field.type).",
                    at: wanted.type.position, field.type.position)
            }
            checkArguments(type, field, wanted, place, &report)
        }
    }

    private static func checkArguments(
        _ type: TypeDefinition, _ field: FieldDefinition, _ wanted: FieldDefinition, _ place: String,
        _ report: inout SchemaReport
    ) {
        for argument in wanted.arguments {
            guard let own = field.arguments.first(where: { $0.name.text == argument.name.text }) else {
                report.add(
                    "Interface field argument \(place)(\(argument.name):) expected but \(type.name).\(field.name) does not provide it.",
                    at: argument.position, field.position)
                continue
            }
            if own.type != argument.type {
                report.add(
                    "Interface field argument \(place)(\(argument.name):) expects type \(argument.type) but \(type.name).\(field.name)(\(argument.name):) is type \(own.type).",
                    at: argument.type.position, own.type.position)
            }
        }
        for argument in field.arguments
        where argument.type.wrapping.isNonNull && argument.defaultValue == nil
            && !wanted.arguments.contains(where: { $0.name.text == argument.name.text })
        {
            report.add(
                "Object field \(type.name).\(field.name) includes required argument \(argument.name) that is missing from the Interface field \(place).",
                at: argument.position, wanted.position)
        }
    }

    /// IsValidImplementationFieldType(): a field may promise more than its interface does.
    private static func isSubtype(_ type: TypeReference, of wanted: TypeReference, _ document: SchemaDocument) -> Bool {
        var (own, other) = (type.wrapping, wanted.wrapping)
        while true {
            if other.isNonNull {
                guard own.isNonNull else { return false }
            }
            (own, other) = (own.nullable, other.nullable)
            guard own.isList == other.isList else { return false }
            guard own.isList else { break }
            (own, other) = (own.item, other.item)
        }
        if type.name.text == wanted.name.text { return true }
        if case .union(let union)? = document.type(named: wanted.name.text) {
            return union.members.contains { $0.text == type.name.text }
        }
        return document.type(named: type.name.text)?.interfaces.contains { $0.text == wanted.name.text } ?? false
    }
}
