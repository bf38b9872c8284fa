/// How AppSync prints a literal in its messages: `StringValue{value='x'}`.
enum LiteralText {
    static func text(of value: Value) -> String {
        var text = ""
        write(value, to: &text)
        return text
    }

    private static func write(_ value: Value, to text: inout String) {
        switch value {
        case .variable(let name): text += "VariableReference{name='\(name)'}"
        case .int(let number): text += "IntValue{value=\(number.text)}"
        case .float(let number): text += "FloatValue{value=\(number.text)}"
        case .string(let string): text += "StringValue{value='\(string.value)'}"
        case .boolean(let boolean): text += "BooleanValue{value=\(boolean.value)}"
        case .null: text += "NullValue{}"
        case .enum(let name): text += "EnumValue{name='\(name)'}"
        case .list(let list):
            text += "ArrayValue{values=["
            for (index, value) in list.values.enumerated() {
                if index > 0 { text += ", " }
                write(value, to: &text)
            }
            text += "]}"
        case .object(let object):
            text += "ObjectValue{objectFields=["
            for (index, field) in object.fields.enumerated() {
                if index > 0 { text += ", " }
                text += "ObjectField{name='\(field.name)', value="
                write(field.value, to: &text)
                text += "}"
            }
            text += "]}"
        }
    }
}
