/// The arguments of a field are there once.
package enum UniqueArgumentNames: SchemaRule {
    package static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        let definitions = document.definitions
        for place in definitions.indices {
            guard let type = definitions[place].type else { continue }
            let fields = type.fields
            for number in fields.indices where fields[number].arguments.count > 1 {
                fields[number].arguments.forEachRepetition { first, name in
                    let argument = "\(fields[number].name)(\(name):)"
                    report.add(
                        "Argument \"\(type.name).\(argument)\" can only be defined once.", at: [first, name.position],
                        of: argument, place: fields[number].position)
                }
            }
        }
    }
}
