/// What was called, as V8 shows it: `a.b.c`, `(intermediate value).x`.
enum CalleeText {
    static func render(_ expression: Expression, _ program: CompiledProgram) -> String {
        switch expression.form {
        case .identifier(let name): return spelled(name, program)
        case .this: return "this"
        case .null: return "null"
        case .boolean(let value): return value ? "true" : "false"
        case .number(let number): return NumberText.decimal(number)
        case .text(let units): return "\"\(String(decoding: units, as: UTF16.self))\""
        case .member(let object, let name, let isOptional):
            return "\(render(object, program))\(isOptional ? "?." : ".")\(spelled(name, program))"
        case .privateMember(let object, let name, _): return "\(render(object, program)).\(spelled(name, program))"
        case .index(let object, let key, let isOptional):
            let dot = isOptional ? "?." : ""
            if case .text(let units) = key.form {
                return "\(render(object, program))\(isOptional ? "?." : ".")\(String(decoding: units, as: UTF16.self))"
            }
            return "\(render(object, program))\(dot)[\(render(key, program))]"
        case .superMember(let name): return "(intermediate value).\(spelled(name, program))"
        case .superIndex: return "(intermediate value)[...]"
        case .call(let function, _, _): return "\(render(function, program))(...)"
        case .chain(let inner): return render(inner, program)
        case .parenthesized(let inner): return render(inner, program)
        default: return "(intermediate value)"
        }
    }

    private static func spelled(_ name: Name, _ program: CompiledProgram) -> String {
        String(decoding: program.spelling(name), as: UTF16.self)
    }
}
