import Script

/// `no-recursion`: no function calls itself, also not through others. Only calls by a function's own name are seen.
struct RecursionRule: LintRule {
    private(set) var findings: [LintFinding] = []
    private let names: NameNumbers
    private let types: StaticTypes
    /// Functions around the place that is looked at. Methods are none to the lint.
    private var around: [FunctionNode] = []
    private var calls: [(place: Place, from: FunctionNode?, to: FunctionNode)] = []
    /// What each function calls, in order, each once.
    private var callees: [ObjectIdentifier: [FunctionNode]] = [:]
    /// Functions that are the value of a variable, with its name.
    private var variableNames: [ObjectIdentifier: Name] = [:]
    /// The calls around, in each of the functions around. A call inside of another one's callee or arguments is none of the
    /// function's to the lint.
    private var depths = [0]

    private static let stepsMax = 20_000

    init(_ names: NameNumbers, _ types: StaticTypes) {
        self.names = names
        self.types = types
    }

    mutating func visit(_ function: FunctionNode, isDeclaration: Bool, in scope: LintScope) {
        guard function.kind == .normal || function.kind == .arrow else { return }
        around.append(function)
        depths.append(0)
    }

    mutating func leave(_ function: FunctionNode) {
        guard around.last === function else { return }
        around.removeLast()
        depths.removeLast()
    }

    mutating func visit(_ declared: ElementPattern, in scope: LintScope) {
        guard case .binding(let name, _) = declared.pattern, case .function(let node)? = declared.initializer?.form
        else {
            return
        }
        variableNames[ObjectIdentifier(node)] = name
    }

    mutating func visit(_ expression: Expression, in scope: LintScope) {
        guard case .call(let callee, _, _) = expression.form else { return }
        let isNested = (depths.last ?? 0) > 0
        depths[depths.count - 1] += 1
        guard case .identifier(let name) = callee.plain.form, let target = types.function(name, in: scope) else {
            return
        }
        calls.append((expression.start, around.last, target))
        guard !isNested, let function = around.last else { return }
        let id = ObjectIdentifier(function)
        if callees[id, default: []].contains(where: { $0 === target }) { return }
        callees[id, default: []].append(target)
    }

    mutating func leave(_ expression: Expression) {
        if case .call = expression.form { depths[depths.count - 1] -= 1 }
    }

    /// Once all calls are known.
    mutating func finish() {
        var steps = 0
        for call in calls {
            var path: [FunctionNode?] = [call.from]
            _ = search(call.to, &path, call.place, &steps)
        }
    }

    /// False: a cycle was found, which ends the search of the function that called.
    private mutating func search(
        _ function: FunctionNode, _ path: inout [FunctionNode?], _ place: Place, _ steps: inout Int
    ) -> Bool {
        steps += 1
        if steps > Self.stepsMax { return false }
        if let start = path.firstIndex(where: { $0 === function }) {
            let cycle = (path[start...] + [function]).map { node in node.map { self.name($0) } ?? "" }
            findings.append(
                LintFinding(
                    weight: .warning, rule: "no-recursion",
                    message:
                        "Recursive function calls not supported. Detected cycle in \(cycle.joined(separator: " <-"))",
                    place: place))
            return false
        }
        path.append(function)
        defer { path.removeLast() }
        for next in callees[ObjectIdentifier(function)] ?? [] {
            guard search(next, &path, place, &steps) else { break }
        }
        return true
    }

    private func name(_ function: FunctionNode) -> String {
        if let name = variableNames[ObjectIdentifier(function)] { return names.text(of: name) }
        if function.kind == .arrow { return "Anonymous Arrow Function" }
        return function.name.map { names.text(of: $0) } ?? "Anonymous Function"
    }
}
