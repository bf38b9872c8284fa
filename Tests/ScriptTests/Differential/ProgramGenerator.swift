/// Makes programs of which every run says the same, and which say a lot: they print what each of their statements did.
///
/// Expressions have kinds, so that most of them mean something; now and then one of another kind stands in, and the program
/// prints the error. Each program ends: its loops and functions take from one budget (`more`), functions call only those made
/// before them, and what a variable holds stays small (`cut`).
///
/// Not made, because the answer is not the language's: functions of `Math` that round, other locales than en-US, `stack` of
/// errors, texts of the library's functions, orders by `localeCompare`, and calls without end (a limit ends the program here,
/// where V8's error can be caught). Nor mistakes that V8 words oddly and this interpreter in its own way: patterns in heads of
/// loops and `catch` (V8 names variables `.for` and `.catch`), a pattern of a list inside of one of an object, calls in computed
/// keys of objects and in standard values of parameters ("undefined is not a function"), `yield*` over a call, and methods of a class called on what is no instance.
struct ProgramGenerator {
    enum Kind: CaseIterable {
        case number, text, boolean, list, object, other
    }

    struct Variable {
        let name: String
        let kind: Kind
        let isConstant: Bool
    }

    var random: RepeatableNumbers
    var depth = 0
    var names: [Variable] = []
    var functions: [(name: String, parameters: Int)] = []
    var loops = 0
    private var count = 0

    init(seed: UInt64) {
        random = RepeatableNumbers(seed: seed)
    }

    /// A whole program.
    mutating func program() -> String {
        var text = Self.prelude
        for kind in Kind.allCases {
            let name = freshName("v")
            text += "let \(name) = \(literal(kind));\n"
            names.append(Variable(name: name, kind: kind, isConstant: false))
        }
        for _ in 0..<random.below(3) { text += function() }
        for number in 0..<(4 + random.below(8)) {
            text += "try {\n\(block(1))} catch (e) { say(\(number), e); }\n"
        }
        for variable in names { text += "say('\(variable.name)', \(variable.name));\n" }
        return text + "say('left', left > 0);\n"
    }

    // MARK: Choices

    mutating func freshName(_ prefix: String) -> String {
        count += 1
        return "\(prefix)\(count)"
    }

    mutating func one(_ choices: [String]) -> String { choices[random.below(choices.count)] }

    mutating func one(_ choices: String...) -> String { one(choices) }

    mutating func either(_ first: Kind, _ second: Kind) -> Kind { random.below(2) == 0 ? first : second }

    mutating func anyKind() -> Kind { Kind.allCases[random.below(Kind.allCases.count)] }

    mutating func number(_ low: Int, _ high: Int) -> String { String(low + random.below(high - low + 1)) }

    mutating func property() -> String { one("a", "b", "c", "length", "x1", "key") }

    mutating func variable(_ kind: Kind) -> String {
        let fitting = names.filter { $0.kind == kind }
        return fitting.isEmpty ? "(\(literal(kind)))" : fitting[random.below(fitting.count)].name
    }

    /// Statements that see what stands before them, and whose own names end with them.
    mutating func block(_ statements: Int) -> String {
        let known = (names.count, functions.count)
        var text = ""
        for _ in 0..<statements { text += statement() }
        names.removeLast(names.count - known.0)
        functions.removeLast(functions.count - known.1)
        return text
    }
}
