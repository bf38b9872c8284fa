/// The members of a union are object types, each there once.
enum UnionMembers: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        for case .union(let union) in document.types {
            var seen: [String: Position] = [:]
            for member in union.members {
                if let first = seen[member.text] {
                    report.add(
                        "Union type \(union.name) can only include type \(member) once.", at: first, member.position)
                    continue
                }
                seen[member.text] = member.position
                if case .object? = document.type(named: member.text) { continue }
                report.add(
                    "Union type \(union.name) can only include Object types, it cannot include \(member).",
                    at: member.position)
            }
        }
    }
}
