import JSON

/// A path to values in another, as JSONPath has it: `$.orders[0].id`, `$.items[*].price`, `$..name`, `$.items[?(@.price > 10)]`; and
/// `$$.Execution.Id` in what is known of the execution.
///
/// A path with steps that may lead to several values gives a list of them.
package struct FlowPath: Sendable {
    enum Step: Sendable {
        case member(String)
        case members([String])
        case element(Int)
        case elements([Int])
        case slice(from: Int?, to: Int?, by: Int)
        case all
        case filter(FlowFilter)
        /// All that lies below, the value itself included.
        case below
    }

    let text: String
    let steps: [Step]
    /// Whether it begins at what is known of the execution.
    let isOfContext: Bool
    /// The variable at which it begins, `$name.part`; nil: at the input, or at what is known of the execution.
    let variable: String?

    init(_ text: String, steps: [Step], isOfContext: Bool, variable: String? = nil) {
        (self.text, self.steps, self.isOfContext, self.variable) = (text, steps, isOfContext, variable)
    }

    package init?(_ text: String) {
        var reader = FlowPathReader(text)
        guard let path = reader.path(), reader.isAtEnd else { return nil }
        self = path
    }

    /// Whether it leads to one value at the most.
    var isDefinite: Bool {
        steps.allSatisfy(Self.isSingle)
    }

    /// Whether it names one place, so that something can be put there.
    var isReference: Bool {
        !isOfContext && variable == nil
            && steps.allSatisfy {
                switch $0 {
                case .member: true
                case .element(let number): number >= 0
                default: false
                }
            }
    }

    // MARK: Values

    /// The value, or the list of values; nil: there is none.
    func value(in data: FlowData) throws(FlowFault) -> JSONValue? {
        var root = isOfContext ? data.context : data.input
        if let variable {
            guard let value = data.variables[variable] else { return nil }
            root = value
        }
        guard !isDefinite else {
            try data.steps.spend(FlowSteps.valueSteps * (1 + steps.count))
            var value = root
            for step in steps {
                guard let next = Self.single(step, value) else { return nil }
                value = next
            }
            return value
        }
        var look = FlowLook(steps: data.steps)
        return try values(in: root, root: root, &look).map { .array($0) }
    }

    /// The value; where there is none, a fault says so.
    func demanded(in data: FlowData, by field: String) throws(FlowFault) -> JSONValue {
        guard let value = try value(in: data) else {
            if Self.selections.contains(field), let place = missingPlace(in: data) {
                throw .runtime("Invalid path '\(text)' : \(place)")
            }
            throw .runtime(
                "The JSONPath '\(text)' specified for the field '\(field)' could not be found in the input"
                    + data.shownInput)
        }
        return value
    }

    /// The fields whose paths the service looks up as a whole, with words of its own.
    private static let selections = ["InputPath", "OutputPath", "TimeoutSeconds", "HeartbeatSeconds"]

    /// The part of a path of members that leads nowhere; nil: the path is of another kind.
    private func missingPlace(in data: FlowData) -> String? {
        guard variable == nil else { return nil }
        var value = isOfContext ? data.context : data.input
        var place = "$"
        for (number, step) in steps.enumerated() {
            guard case .member(let name) = step else { return nil }
            place += "['\(name)']"
            guard let next = value[name] else {
                return "\(number == steps.count - 1 ? "No results for path:" : "Missing property in path") \(place)"
            }
            value = next
        }
        return nil
    }

    /// All values: none where a part of the path leads nowhere. Nil: what is one value, and no list, is to be cut into elements.
    func values(in start: JSONValue, root: JSONValue, _ look: inout FlowLook) throws(FlowFault) -> [JSONValue]? {
        var values = [start]
        var isSingle = true
        for step in steps {
            var next: [JSONValue] = []
            for value in values {
                if isSingle, Self.cuts(step), value.array == nil { return nil }
                try Self.take(step, value, root, into: &next, &look)
            }
            isSingle = isSingle && Self.isSingle(step)
            values = next
        }
        return values
    }

    private static func isSingle(_ step: Step) -> Bool {
        switch step {
        case .member, .element: true
        default: false
        }
    }

    private static func cuts(_ step: Step) -> Bool {
        switch step {
        case .slice, .elements: true
        default: false
        }
    }

    private static func single(_ step: Step, _ value: JSONValue) -> JSONValue? {
        switch step {
        case .member(let name): value[name]
        case .element(let number): element(number, of: value)
        default: nil
        }
    }

    private static func element(_ number: Int, of value: JSONValue) -> JSONValue? {
        guard case .array(let elements) = value else { return nil }
        let place = number < 0 ? elements.count + number : number
        guard elements.indices.contains(place) else { return nil }
        return elements[place]
    }

    private static func children(of value: JSONValue) -> [JSONValue] {
        switch value {
        case .array(let elements): elements
        case .object(let object): object.members.map(\.value)
        default: []
        }
    }

    private static func take(
        _ step: Step, _ value: JSONValue, _ root: JSONValue, into next: inout [JSONValue], _ look: inout FlowLook
    ) throws(FlowFault) {
        try spend(1, &look)
        switch step {
        case .member, .element: if let found = single(step, value) { next.append(found) }
        case .members(let names): next += names.compactMap { value[$0] }
        case .elements(let numbers): next += numbers.compactMap { element($0, of: value) }
        case .all:
            let children = children(of: value)
            try spend(children.count, &look)
            next += children
        case .slice(let from, let to, let by):
            guard case .array(let elements) = value else { return }
            let range = range(from, to, count: elements.count)
            try spend(range.count, &look)
            next += stride(from: range.lowerBound, to: range.upperBound, by: by).map { elements[$0] }
        case .filter(let filter):
            let children = value.array ?? [value]
            try spend(children.count, &look)
            for child in children where try filter.holds(for: child, root: root, &look) { next.append(child) }
        case .below:
            var rest = [value]
            while let first = rest.popLast() {
                try spend(1, &look)
                next.append(first)
                rest += children(of: first).reversed()
            }
        }
    }

    private static func range(_ from: Int?, _ to: Int?, count: Int) -> Range<Int> {
        func place(_ number: Int) -> Int { min(max(number < 0 ? count + number : number, 0), count) }
        let start = from.map(place) ?? 0
        return start..<max(start, to.map(place) ?? count)
    }

    private static func spend(_ count: Int, _ look: inout FlowLook) throws(FlowFault) {
        look.values -= count
        try look.steps.spend(FlowSteps.valueSteps * count)
        guard look.values >= 0 else {
            throw .runtime("A path looks at more than \(WorkflowLimits.pathValuesMax) values.")
        }
    }

    // MARK: Putting

    /// A value with another one put at the place that the path names; nil: there can be nothing there.
    func putting(_ new: JSONValue, in value: JSONValue) -> JSONValue? { Self.put(new, in: value, steps[...]) }

    private static func put(_ new: JSONValue, in value: JSONValue?, _ steps: ArraySlice<Step>) -> JSONValue? {
        guard let step = steps.first else { return new }
        switch step {
        case .member(let name):
            var object: JSONObject
            switch value {
            case nil, .null?: object = JSONObject()
            case .object(let known)?: object = known
            default: return nil
            }
            guard let inner = put(new, in: object[name], steps.dropFirst()) else { return nil }
            object.set(name, to: inner)
            return .object(object)
        case .element(let number):
            guard case .array(var elements)? = value, number >= 0, number <= elements.count else { return nil }
            guard let inner = put(new, in: number < elements.count ? elements[number] : nil, steps.dropFirst()) else {
                return nil
            }
            if number < elements.count { elements[number] = inner } else { elements.append(inner) }
            return .array(elements)
        default: return nil
        }
    }
}

/// What paths of a state lead into.
struct FlowData: Sendable {
    let input: JSONValue
    /// What is known of the execution: `$$`.
    let context: JSONValue
    var variables = JSONObject()
    /// What expressions in JSONata see; nil: the state is in JSONPath.
    var query: FlowQueryData?
    /// What is counted of the work on them.
    var steps = FlowSteps()
}

/// What a path has left of the values that it may look at.
struct FlowLook {
    var values = WorkflowLimits.pathValuesMax
    let steps: FlowSteps
}
