/// A module's top level that does nothing but give variables their values: functions, and values that are written down. Whether it
/// is run, or what somebody asks for is made without it, is the same to every program.
struct PlainTopLevel {
    enum Content {
        case function(Code)
        case undefined, null
        case boolean(Bool)
        case number(Double)
        /// Which of the program's texts.
        case text(Int32)
    }

    struct Variable {
        let cell: Int
        let content: Content
    }

    /// By their cells. Those in no cell are used by no function.
    private var contents: [Int: Content] = [:]

    /// Nil: it does something else, too.
    init?(_ top: Code, numbers: [Double]) {
        var stack: [Content] = []
        for number in 0..<top.instructionCount {
            let instruction = top.instructions[number]
            let a = Int(instruction.a)
            switch instruction.operation {
            case .nothing, .startModule, .makeCell: break
            case .makeFunction:
                guard top.functions.indices.contains(a) else { return nil }
                stack.append(.function(top.functions[a]))
            case .undefined: stack.append(.undefined)
            case .null: stack.append(.null)
            case .yes: stack.append(.boolean(true))
            case .no: stack.append(.boolean(false))
            case .integer: stack.append(.number(Double(instruction.a)))
            case .number:
                guard numbers.indices.contains(a) else { return nil }
                stack.append(.number(numbers[a]))
            case .text: stack.append(.text(instruction.a))
            case .popCell:
                // A variable that is given a value twice is none of these.
                guard let content = stack.popLast(), contents.updateValue(content, forKey: a) == nil else { return nil }
            case .popLocal, .pop: guard case .some = stack.popLast() else { return nil }
            case .returnValue: return
            default: return nil
            }
        }
        return nil
    }

    /// All that the variable of a cell needs, itself the last; nil: it is none of these.
    func variables(for cell: Int) -> [Variable]? {
        guard case .function(let code)? = contents[cell] else { return nil }
        var found: [Variable] = []
        var known: Set<Int> = [cell]
        var waiting = [code]
        while let code = waiting.popLast() {
            for case .cell(let place) in code.captures where known.insert(place).inserted {
                guard let content = contents[place] else { return nil }
                found.append(Variable(cell: place, content: content))
                if case .function(let code) = content { waiting.append(code) }
            }
        }
        return found + [Variable(cell: cell, content: .function(code))]
    }
}

extension Code {
    /// True if it gets hold of its own function. Others can do so only by the variable that it is in.
    var readsItself: Bool {
        for number in 0..<instructionCount {
            switch instructions[number].operation {
            case .function, .home: return true
            default: continue
            }
        }
        return captures.contains { if case .cell = $0 { true } else { false } }
    }
}
