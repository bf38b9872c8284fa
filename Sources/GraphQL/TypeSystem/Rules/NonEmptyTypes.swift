/// A type has something in it.
enum NonEmptyTypes: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        for type in document.types {
            let name = type.name
            switch type {
            case .object(let type) where type.fields.isEmpty:
                report.add("Type \(name) must define one or more fields.", at: type.position)
            case .interface(let type) where type.fields.isEmpty:
                report.add("Type \(name) must define one or more fields.", at: type.position)
            case .union(let type) where type.members.isEmpty:
                report.add("Union type \(name) must define one or more member types.", at: type.position)
            case .enum(let type) where type.values.isEmpty:
                report.add("Enum type \(name) must define one or more values.", at: type.position)
            case .inputObject(let type) where type.fields.isEmpty:
                report.add("Input Object type \(name) must define one or more fields.", at: type.position)
            default: break
            }
        }
    }
}
