/// A name is the name of one type.
enum UniqueTypeNames: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        var seen = NameTable(capacity: document.definitions.count)
        var positions: [Position] = []
        for case .type(let type) in document.definitions {
            let name = type.name
            let (isNew, number) = seen.insert(name.text)
            if isNew {
                positions.append(name.position)
            } else {
                report.add(
                    "There can be only one type named \"\(name)\".", at: [positions[number], name.position],
                    place: type.position)
            }
        }
    }
}
