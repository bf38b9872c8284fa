/// A variable while its function is compiled. Whether a function inside uses it, and it so needs a cell, is known only at
/// the end; the instructions that use it are completed then.
final class Variable {
    let name: Name
    let isConstant: Bool
    /// It has no value before its declaration has run.
    let hasDeadZone: Bool
    let slot: Int
    unowned let owner: FunctionCompiler
    var cell = -1
    var isCaptured = false
    /// Its declaration stands above the code that is compiled now, and nothing leads around it.
    var isInitialized = false
    /// Of a `switch`, where a case may be entered below the declaration.
    var isAlwaysChecked = false
    /// Some instruction looks whether it has a value.
    var isChecked = false
    /// Its cell is made with the module, for those who import it.
    var isExported = false

    init(_ name: Name, isConstant: Bool, hasDeadZone: Bool, slot: Int, owner: FunctionCompiler) {
        self.name = name
        self.isConstant = isConstant
        self.hasDeadZone = hasDeadZone
        self.slot = slot
        self.owner = owner
        isInitialized = !hasDeadZone
    }
}

extension Name {
    // Variables that no program can name.
    static let thisVariable = Name(number: -1)
    static let newTargetVariable = Name(number: -2)
    static let homeVariable = Name(number: -3)
    static let functionVariable = Name(number: -4)

    var isImplicit: Bool { number < 0 }
}
