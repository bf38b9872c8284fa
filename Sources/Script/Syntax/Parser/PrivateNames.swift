/// The private names of a class that is being read.
struct PrivateNames {
    enum Kind: Equatable {
        case getter(isStatic: Bool), setter(isStatic: Bool), pair, other
    }

    private var declared: [Name: Kind] = [:]
    /// Names that were used, which may be declared further down or by a class around this one.
    var used: [(name: Name, place: Place)] = []

    /// False where the name is declared already, but for the other half of a getter and a setter.
    mutating func declare(_ name: Name, _ kind: Kind) -> Bool {
        guard let existing = declared[name] else {
            declared[name] = kind
            return true
        }
        switch (existing, kind) {
        case (.getter(let first), .setter(let second)) where first == second,
            (.setter(let first), .getter(let second)) where first == second:
            declared[name] = .pair
            return true
        default:
            return false
        }
    }

    var undeclared: [(name: Name, place: Place)] {
        used.filter { declared[$0.name] == nil }
    }
}
