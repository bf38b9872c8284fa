/// A module of a sealed realm that is evaluated again and again, each time afresh: its variables are new ones. What it
/// imports is made once, of objects that nobody can change.
package final class RepeatedModule {
    let unit: Unit
    private let captures: ContiguousArray<Cell>
    /// The cells of all variables that are exported.
    private let places: [Int]
    private let topLevel: PlainTopLevel?
    private var ways: [Name: Way] = [:]
    private unowned(unsafe) let realm: Realm

    /// How a run comes to a function that the module exports.
    private enum Way {
        /// By the module's top level, which runs first. The number of the function's cell.
        case run(Int)
        /// By making what it uses of the top level, which does nothing but make it: these variables, the function itself the last.
        case make([PlainTopLevel.Variable])
        /// It uses nothing of the top level, and no program can get hold of it itself: it is made once.
        case kept(ScriptFunction)
    }

    /// - Parameter imports: a value for each of the program's imports, in their order.
    package init(_ program: CompiledProgram, imports: [Value], in realm: Realm) {
        self.realm = realm
        unit = Unit(program, realm)
        places = Array(program.exportCells.values)
        topLevel = PlainTopLevel(program.top, numbers: program.numbers)
        let cells = imports.map { Cell($0) }
        captures = ContiguousArray(
            program.top.captures.map { capture in
                if case .imported(let number) = capture, cells.indices.contains(number) { return cells[number] }
                return Cell(.undefined)
            })
    }

    /// Calls one of the functions that the module exports, as if its top level had just been run.
    package func call(
        _ name: Name, _ argument: Value
    ) throws(Thrown) -> Value {
        defer { unit.forget() }
        guard let way = ways[name] ?? way(to: name) else { return .undefined }
        switch way {
        case .kept(let function): return try realm.call(function, with: argument)
        case .make(let variables):
            guard let function = made(variables) else { return .undefined }
            return try realm.call(function, with: argument)
        case .run(let place): return try realm.call(try run(to: place), this: .undefined, [argument])
        }
    }

    private func way(to name: Name) -> Way? {
        guard let place = unit.program.exportCells[name] else { return nil }
        var way = Way.run(place)
        if let variables = topLevel?.variables(for: place), case .function(let code)? = variables.last?.content {
            way = .make(variables)
            if variables.count == 1, !code.readsItself, let function = made(variables) {
                // What waits for runs is no part of any.
                function.keepOutOfHeap()
                way = .kept(function)
            }
        }
        ways[name] = way
        return way
    }

    /// Runs the top level. Gives what is in a cell then.
    private func run(to place: Int) throws(Thrown) -> Value {
        let program = unit.program
        let top = ScriptFunction(realm, program.top, unit, captures, prototype: realm.prototype(.function))
        let frame = realm.frame(program.top, unit)
        frame.function = top
        let cell = Cell(.absent)
        for other in places where other != place { frame.cells[other] = Cell(.absent) }
        frame.cells[place] = cell
        // It stops once when its functions are there, and goes on from there.
        _ = try realm.resume(frame, .next(.undefined))
        _ = try realm.resume(frame, .next(.undefined))
        return cell.value
    }

    /// Makes variables of the top level. Gives the function that is the last of them.
    private func made(_ variables: [PlainTopLevel.Variable]) -> ScriptFunction? {
        let cells = variables.map { _ in Cell(.absent) }
        var last: ScriptFunction?
        for (variable, cell) in zip(variables, cells) {
            switch variable.content {
            case .function(let code):
                var held = ContiguousArray<Cell>()
                held.reserveCapacity(code.captures.count)
                for capture in code.captures {
                    switch capture {
                    case .cell(let place):
                        let number = variables.firstIndex { $0.cell == place }
                        held.append(number.map { cells[$0] } ?? Cell(.absent))
                    case .capture(let place):
                        held.append(captures.indices.contains(place) ? captures[place] : Cell(.absent))
                    case .imported: held.append(Cell(.absent))
                    }
                }
                let function = ScriptFunction(realm, code, unit, held, prototype: realm.functionPrototype(code))
                cell.value = .object(function)
                last = function
            case .undefined: cell.value = .undefined
            case .null: cell.value = .null
            case .boolean(let boolean): cell.value = .boolean(boolean)
            case .number(let number): cell.value = .number(number)
            case .text(let text): cell.value = .text(unit.text(text))
            }
        }
        return last
    }
}
