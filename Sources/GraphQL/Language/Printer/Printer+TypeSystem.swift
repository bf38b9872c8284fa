extension Printer {
    mutating func print(_ schema: SchemaDefinition, isExtension: Bool) {
        print(description: schema.description)
        write(isExtension ? "extend schema" : "schema")
        print(schema.directives)
        guard !schema.operationTypes.isEmpty else { return }
        write(" ")
        block(schema.operationTypes) {
            $0.write($1.operation.rawValue)
            $0.write(": ")
            $0.write($1.type.text)
        }
    }

    mutating func print(_ type: TypeDefinition, isExtension: Bool) {
        print(description: type.description)
        if isExtension { write("extend ") }
        switch type {
        case .scalar(let scalar):
            printHead("scalar ", scalar.name, scalar.directives)
        case .object(let object):
            printHead("type ", object.name, object.directives, interfaces: object.interfaces)
            print(object.fields)
        case .interface(let interface):
            printHead("interface ", interface.name, interface.directives, interfaces: interface.interfaces)
            print(interface.fields)
        case .union(let union):
            printHead("union ", union.name, union.directives)
            print(members: union.members)
        case .enum(let type):
            printHead("enum ", type.name, type.directives)
            guard !type.values.isEmpty else { return }
            write(" ")
            block(type.values) {
                $0.print(description: $1.description)
                $0.write($1.name.text)
                $0.print($1.directives)
            }
        case .inputObject(let input):
            printHead("input ", input.name, input.directives)
            guard !input.fields.isEmpty else { return }
            write(" ")
            block(input.fields) { $0.print($1) }
        }
    }

    private mutating func printHead(
        _ keyword: StaticString, _ name: Name, _ directives: [Directive], interfaces: [Name] = []
    ) {
        write(keyword)
        write(name.text)
        if !interfaces.isEmpty {
            write(" implements ")
            separated(interfaces, by: " & ") { $0.write($1.text) }
        }
        print(directives)
    }

    private mutating func print(_ fields: [FieldDefinition]) {
        guard !fields.isEmpty else { return }
        write(" ")
        block(fields) {
            $0.print(description: $1.description)
            $0.write($1.name.text)
            $0.print(arguments: $1.arguments)
            $0.write(": ")
            $0.print($1.type)
            $0.print($1.directives)
        }
    }

    private mutating func print(members: [Name]) {
        guard !members.isEmpty else { return }
        let start = buffer.count
        write(" = ")
        separated(members, by: " | ") { $0.write($1.text) }
        guard isTooLong(from: start) else { return }
        rewind(to: start)
        write(" =")
        indented { printer in
            for member in members {
                printer.writeLineBreak()
                printer.write("| ")
                printer.write(member.text)
            }
        }
    }

    /// Writes the arguments that a field or a directive takes: on one line, unless one has a description.
    private mutating func print(arguments: [InputValueDefinition]) {
        guard !arguments.isEmpty else { return }
        guard arguments.allSatisfy({ $0.description == nil }) else {
            return block(arguments, "(", ")") { $0.print($1) }
        }
        write("(")
        separated(arguments) { $0.print($1) }
        write(")")
    }

    private mutating func print(_ value: InputValueDefinition) {
        print(description: value.description)
        write(value.name.text)
        write(": ")
        print(value.type)
        if let defaultValue = value.defaultValue {
            write(" = ")
            print(defaultValue)
        }
        print(value.directives)
    }

    mutating func print(_ directive: DirectiveDefinition) {
        print(description: directive.description)
        write("directive @")
        write(directive.name.text)
        print(arguments: directive.arguments)
        write(directive.isRepeatable ? " repeatable on " : " on ")
        separated(directive.locations, by: " | ") { $0.write($1.rawValue) }
    }
}
