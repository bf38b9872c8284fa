/// An input object does not need itself: such a value could never be written down. Specification: section 3.10.
enum InputObjectCycles: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        var finished: Set<String> = []
        for case .inputObject(let input) in document.types where input.needsOthers {
            var walk = Walk(document: document)
            walk.visit(input, &finished, &report)
        }
    }

    /// A walk along the fields that must be given, without recursion: a chain of types can be as long as a schema.
    private struct Walk {
        let document: SchemaDocument
        private var path: [Step] = []
        /// Where in the path each type stands.
        private var places: [String: Int] = [:]

        private struct Step {
            let type: String
            let fields: [InputValueDefinition]
            var next = 0
        }

        init(document: SchemaDocument) {
            self.document = document
        }

        mutating func visit(
            _ input: InputObjectTypeDefinition, _ finished: inout Set<String>, _ report: inout SchemaReport
        ) {
            enter(input, &finished)
            while var step = path.popLast() {
                guard step.next < step.fields.count else {
                    places[step.type] = nil
                    continue
                }
                let field = step.fields[step.next]
                step.next += 1
                path.append(step)
                let name = field.type.name.text
                guard document.purpose(ofTypeNamed: name)?.isOutput == false,
                    case .inputObject(let target)? = document.type(named: name)
                else { continue }
                if let start = places[target.name.text] {
                    reportCycle(from: start, to: target.name.text, &report)
                } else {
                    enter(target, &finished)
                }
            }
        }

        private mutating func enter(_ input: InputObjectTypeDefinition, _ finished: inout Set<String>) {
            // From most inputs nothing leads on, and one without a way out is in no cycle.
            guard input.needsOthers, finished.insert(input.name.text).inserted else { return }
            let fields = input.fields.filter { $0.type.wrapping.isNonNull && $0.type.wrapping.isNamed }
            places[input.name.text] = path.count
            path.append(Step(type: input.name.text, fields: fields))
        }

        private func reportCycle(from start: Int, to type: String, _ report: inout SchemaReport) {
            let fields = path[start...].map { $0.fields[$0.next - 1] }
            report.add(
                "Cannot reference Input Object \"\(type)\" within itself through a series of non-null fields: \"\(fields.map(\.name.text).joined(separator: "."))\".",
                at: fields.map(\.position))
        }
    }
}

extension InputObjectTypeDefinition {
    /// True if some field must be given that is no list.
    fileprivate var needsOthers: Bool {
        for number in fields.indices
        where fields[number].type.wrapping.isNonNull && fields[number].type.wrapping.isNamed { return true }
        return false
    }
}
