/// A module of a sealed realm that is evaluated again and again, each time afresh: its variables are new ones. What it
/// imports is made once, of objects that nobody can change.
package final class RepeatedModule {
    let unit: Unit
    private let captures: ContiguousArray<Cell>
    /// The cells of all variables that are exported.
    private let places: [Int]
    private unowned(unsafe) let realm: Realm

    /// - Parameter imports: a value for each of the program's imports, in their order.
    package init(_ program: CompiledProgram, imports: [Value], in realm: Realm) {
        self.realm = realm
        unit = Unit(program, realm)
        places = Array(program.exportCells.values)
        let cells = imports.map { Cell($0) }
        captures = ContiguousArray(
            program.top.captures.map { capture in
                if case .imported(let number) = capture, cells.indices.contains(number) { return cells[number] }
                return Cell(.undefined)
            })
    }

    /// Runs the module's top level, and calls one of the functions that it exports.
    package func call(
        _ name: Name, _ argument: Value
    ) throws(Thrown) -> Value {
        defer { unit.forget() }
        let program = unit.program
        guard let place = program.exportCells[name] else { return .undefined }
        let top = ScriptFunction(realm, program.top, unit, captures, prototype: realm.prototype(.function))
        let frame = realm.frame(program.top, unit)
        frame.function = top
        let cell = Cell(.absent)
        for other in places where other != place { frame.cells[other] = Cell(.absent) }
        frame.cells[place] = cell
        // It stops once when its functions are there, and goes on from there.
        _ = try realm.resume(frame, .next(.undefined))
        _ = try realm.resume(frame, .next(.undefined))
        return try realm.call(cell.value, this: .undefined, [argument])
    }
}
