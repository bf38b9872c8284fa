import Blueprint
import GraphQL
import Project

/// A scalar field: `a.string()` and its like.
final class FieldBuilder: Builder {
    enum Standard {
        case text(String)
        /// The database makes the value.
        case generated
        /// No value that a default can have; the first field of an identifier has none anyway.
        case refused(TypeScriptError)
    }

    struct Validation {
        let rule: String
        let value: String
        let message: String?
        let position: Position
    }

    let kind: String
    let typeName: String
    var isElementRequired = false
    var isList = false
    var isListRequired = false
    var standard: (value: Standard, position: Position)?
    @Late var rules: [RuleBuilder] = []
    var validations: [Validation] = []
    var lastCall = ""

    init(kind: String, typeName: String) {
        self.kind = kind
        self.typeName = typeName
    }

    override var label: String { "a.\(kind)()" }
    override var surface: BuilderSurface { Self.surface }

    override func read() throws(TypeScriptError) -> [Builder] {
        try $rules.read()
        return rules
    }

    static let surface = BuilderSurface(
        [
            .modifier("required") { (field: FieldBuilder, _) throws(TypeScriptError) in
                if field.lastCall == "array" { field.isListRequired = true } else { field.isElementRequired = true }
                field.lastCall = "required"
            },
            .modifier("array") { (field: FieldBuilder, _) throws(TypeScriptError) in
                field.isList = true
                field.lastCall = "array"
            },
            .modifier("default") { (field: FieldBuilder, arguments) throws(TypeScriptError) in
                field.standard = (try arguments.standard(0), arguments.position(of: 0))
                field.lastCall = "default"
            },
            .modifier("authorization") { (field: FieldBuilder, arguments) throws(TypeScriptError) in
                field.$rules.keep(try arguments.rules(.field))
                field.lastCall = "authorization"
            },
            .modifier("validate") { (field: FieldBuilder, arguments) throws(TypeScriptError) in
                field.validations = []
                try arguments.run(.validator(field))
                field.lastCall = "validate"
            },
        ], isOpen: true)

    static let typeNames: [String: String] = [
        "id": "ID", "string": "String", "integer": "Int", "float": "Float", "boolean": "Boolean", "date": "AWSDate",
        "time": "AWSTime", "datetime": "AWSDateTime", "timestamp": "AWSTimestamp", "email": "AWSEmail",
        "json": "AWSJSON", "phone": "AWSPhone", "url": "AWSURL", "ipAddress": "AWSIPAddress",
    ]
}
