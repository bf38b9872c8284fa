/// The fields of a selection as rows walk over them: steps without references, which cost nothing to copy.
///
/// Hot path: nearly everything that a page selects is a column that is written as it is.
struct RowPlan: Sendable {
    struct Step: Sendable {
        let action: Action
        /// Where the value is in the row.
        let column: Int
        /// Where the key is in `keys`, with the comma before it.
        let key: Range<Int>
        /// Which of the plan's forms it has.
        var form = 0
    }

    enum Action: Sendable {
        case text
        /// A text that has to be one of an enum, or of a form.
        case form
        /// An integer of 32 bits.
        case int
        case timestamp
        case integer
        case real
        case boolean
        /// A text of which a part is shown.
        case owner
        /// JSON that goes into the response as it is stored, where it is of its form.
        case list
        /// The same bytes for every row stand behind the key.
        case constant
        /// Whatever needs a closer look: the field of the same number says what.
        case other
    }

    let steps: [Step]
    let keys: [UInt8]
    private let textForms: [TextForm]
    private let listForms: [ListForm]

    init(_ fields: [FieldPlan]) {
        var steps: [Step] = []
        var keys: [UInt8] = []
        var (textForms, listForms): ([TextForm], [ListForm]) = ([], [])
        for field in fields {
            let start = keys.count
            keys += field.key
            var (action, column, form) = (Action.other, 0, 0)
            if field.inclusions.isEmpty, !field.isNull {
                switch field.source {
                case .leaf(let place, let kind):
                    (action, column) = (Self.action(of: kind), place)
                    switch kind {
                    case .form(let allowed):
                        form = textForms.count
                        textForms.append(allowed)
                    case .list(let allowed):
                        form = listForms.count
                        listForms.append(allowed)
                    default: break
                    }
                case .constant(let bytes):
                    action = .constant
                    keys += bytes
                default: break
                }
            }
            steps.append(Step(action: action, column: column, key: start..<keys.count, form: form))
        }
        self.steps = steps
        self.keys = keys
        self.textForms = textForms
        self.listForms = listForms
    }

    /// Returns whether the schema allows a text in the column of a step.
    @inline(__always)
    func allowsText(_ text: UnsafeRawBufferPointer, in step: Step) -> Bool { textForms[step.form].allows(text) }

    /// The same of a list.
    @inline(__always)
    func allowsList(_ list: UnsafeRawBufferPointer, in step: Step) -> Bool { listForms[step.form].allows(list) }

    private static func action(of kind: LeafKind) -> Action {
        switch kind {
        case .text, .json: .text
        case .form: .form
        case .integer(.int): .int
        case .integer(.any): .integer
        case .integer(.timestamp): .timestamp
        case .real: .real
        case .boolean: .boolean
        case .list: .list
        case .owner: .owner
        case .owners: .other
        }
    }
}
