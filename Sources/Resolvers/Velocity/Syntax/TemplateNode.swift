import JSON

/// A part of a template that is run: a text, a reference, a directive.
indirect enum TemplateNode: Sendable {
    case text([UInt8])
    case reference(TemplateReference)
    case set(TemplateReference, TemplateExpression)
    /// The first block whose condition holds; the last one may have none.
    case branch([Branch])
    case loop(Loop)
    /// `#define`: the block is printed wherever the name is.
    case define(slot: Int, [TemplateNode])
    /// Ends the loop around it.
    case leave
    /// `#stop`
    case stop
    /// `#return`
    case end(TemplateExpression?)

    struct Branch: Sendable {
        let condition: TemplateExpression?
        let body: [TemplateNode]
    }

    struct Loop: Sendable {
        let slot: Int
        let source: TemplateExpression
        let body: [TemplateNode]
        let offset: Int
    }
}

/// What gives a value.
indirect enum TemplateExpression: Sendable {
    case null
    case constant(Constant)
    case reference(TemplateReference)
    /// A text in double quotes with references or directives in it. `cuts` is set when a blank was put behind it, which lets a mark
    /// stand at its end.
    case interpolated([TemplateNode], cuts: Bool)
    case list([TemplateExpression])
    case range(TemplateExpression, TemplateExpression)
    case map([(TemplateExpression, TemplateExpression)])
    case not(TemplateExpression)
    case both(TemplateExpression, TemplateExpression)
    case either(TemplateExpression, TemplateExpression)
    case compare(Comparison, TemplateExpression, TemplateExpression)
    /// What the sides were written as is needed: a text plus nothing is the text and the other side's words.
    case calculate(Calculation, TemplateExpression, TemplateExpression, words: (String, String))

    enum Constant: Sendable {
        case bool(Bool)
        case integer(Int64)
        case large(Int128)
        case decimal(Double)
        case text(String)
    }

    enum Comparison: Sendable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    }

    enum Calculation: Sendable {
        case plus, minus, times, divide, modulo
    }
}

/// `$name.member[index].method(argument)`, and what it prints when there is nothing.
final class TemplateReference: Sendable {
    enum Step: Sendable {
        case member(String)
        case method(TemplateMethod)
        case index(TemplateExpression, offset: Int)
    }

    /// Where the value of the name stands; nil: this is a name in a wrong place, which has none.
    let slot: Int?
    let steps: [Step]
    /// What the first steps call when the name stands for AppSync's functions: the function, and its step.
    let function: (TemplateFunction, step: Int)?
    /// Printed when there is no value, and when `\` says that this is none.
    let words: [UInt8]
    /// Printed before the value, and before `words` when there is none.
    let prefix: (some: [UInt8], none: [UInt8])
    /// `\$name`: the words are printed also when there is a value.
    let isEscaped: Bool
    /// Written as `$name`: only so it can be set as a whole.
    let isPlain: Bool
    let offset: Int
    /// What `$util.toJson(…)`, and nothing else, is given.
    let jsonArgument: TemplateExpression?

    init(
        slot: Int?, steps: [Step], function: (TemplateFunction, step: Int)?, words: [UInt8],
        prefix: (some: [UInt8], none: [UInt8]), isEscaped: Bool, isPlain: Bool, offset: Int
    ) {
        self.slot = slot
        self.steps = steps
        self.function = function
        self.words = words
        self.prefix = prefix
        self.isEscaped = isEscaped
        self.isPlain = isPlain
        self.offset = offset
        jsonArgument =
            if !isEscaped, steps.count == 1 || steps.count == function.map({ $0.step + 1 }),
                case .own(let own)? = function?.0, own.name == OwnFunction.toJson,
                case .method(let method)? = steps.last,
                method.arguments.count == 1
            {
                method.arguments[0]
            } else {
                nil
            }
    }
}

/// A call in a template.
struct TemplateMethod: Sendable {
    let name: String
    /// Nil: no value has a method of that name.
    let known: MethodName?
    let arguments: [TemplateExpression]
    let offset: Int
}
