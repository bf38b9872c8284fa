extension ProgramGenerator {
    mutating func statement() -> String {
        depth += 1
        defer { depth -= 1 }
        if depth > 5 { return "say(\(expression(anyKind())));\n" }
        switch random.below(40) {
        case 0...3: return "say(\(expression(anyKind())), \(expression(anyKind())));\n"
        case 4...6: return declaration()
        case 7...9: return assignment()
        case 10, 11: return condition()
        case 12: return countedLoop()
        case 13: return walk()
        case 14: return selection()
        case 15, 16: return attempt()
        case 17: return function()
        case 18: return recursion()
        case 19, 20: return generator()
        case 21, 22: return classes()
        case 23, 24: return destructuring()
        case 25, 26: return asynchronous()
        case 27: return labeled()
        case 28: return closures()
        case 29: return taggedTemplate()
        case 30: return accessors()
        case 31: return symbols()
        case 32: return ownIterator()
        case 33: return deadZone()
        case 34, 35: return mistake()
        case 36: return collection()
        case 37: return pattern()
        case 38: return date()
        default: return one(objectWork(), jsonWork(), chain())
        }
    }

    private mutating func declaration() -> String {
        let kind = anyKind()
        let value = expression(kind)
        let name = freshName("v")
        let isConstant = random.below(4) == 0
        names.append(Variable(name: name, kind: kind, isConstant: isConstant))
        return "\(isConstant ? "const" : one("let", "let", "var")) \(name) = cut(\(value));\n"
    }

    private mutating func assignment() -> String {
        let target = names[random.below(names.count)]
        let name = target.name
        let value = expression(target.kind)
        switch target.kind {
        case .number:
            let sign = one(
                "=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>=", ">>>=", "&&=", "||=", "??=")
            if random.below(4) == 0 { return "say(\(one("\(name)++", "++\(name)", "--\(name)", "\(name)--")));\n" }
            return "\(name) \(sign) \(value);\n"
        case .text: return "\(name) = cut(\(name) + \(value));\n"
        case .boolean, .other: return "\(name) \(one("=", "&&=", "||=", "??=")) cut(\(value));\n"
        case .list:
            switch random.below(6) {
            case 0: return "\(name)[\(random.below(6))] = cut(\(expression(anyKind())));\n"
            case 1: return "say(\(name).push(cut(\(expression(anyKind())))), \(name).shift());\n"
            case 2: return "\(name).length = \(random.below(5));\n"
            case 3:
                return "say(\(name).splice(\(number(-3, 4)), \(random.below(3)), cut(\(expression(anyKind())))));\n"
            case 4: return "say(\(name).unshift(\(literal(anyKind()))), \(name).pop(), \(name));\n"
            default: return "\(name) = cut(\(value));\n"
            }
        case .object:
            switch random.below(5) {
            case 0: return "say(delete \(name).\(property()));\n"
            case 1: return "\(name)[\(expression(.text))] = cut(\(expression(anyKind())));\n"
            case 2: return "\(name).\(property()) \(one("=", "??=", "||=")) cut(\(expression(anyKind())));\n"
            case 3: return "say(\(name).\(property())\(one("++", "--", " += 1", " *= 2")), \(name));\n"
            default: return "\(name) = cut(\(value));\n"
            }
        }
    }

    private mutating func condition() -> String {
        let otherwise = random.below(2) == 0 ? " else {\n\(block(1))}" : ""
        return "if (\(expression(anyKind()))) {\n\(block(2))}\(otherwise)\n"
    }

    private mutating func countedLoop() -> String {
        let name = freshName("i")
        loops += 1
        defer { loops -= 1 }
        let limit = 1 + random.below(4)
        names.append(Variable(name: name, kind: .number, isConstant: true))
        let body =
            block(2) + (random.below(3) == 0 ? "if (\(expression(.boolean))) \(one("break", "continue"));\n" : "")
        names.removeLast()
        switch random.below(3) {
        case 0:
            return
                "{ let n\(name) = 0; while (n\(name)++ < \(limit) && more()) {\nconst \(name) = n\(name);\n\(body)} }\n"
        case 1:
            return
                "{ let n\(name) = 0; do {\nconst \(name) = n\(name);\n\(body)} while (++n\(name) < \(limit) && more()); }\n"
        default: return "for (let \(name) = 0; \(name) < \(limit) && more(); \(name)++) {\n\(body)}\n"
        }
    }

    private mutating func walk() -> String {
        loops += 1
        defer { loops -= 1 }
        let name = freshName("v")
        let isKeys = random.below(3) == 0
        let source = "cut(\(expression(isKeys ? either(.object, .list) : either(.list, .text))))"
        // What V8 says of a list that is none depends on how it was chosen, so a function chooses here.
        names.append(Variable(name: name, kind: isKeys ? .text : anyKind(), isConstant: true))
        let body = block(1)
        names.removeLast()
        if isKeys { return "for (const \(name) in \(source)) {\nif (!more()) break;\n\(body)}\n" }
        switch random.below(4) {
        case 0:
            return
                "for (const [\(name), q\(name)] of Object.entries(\(source))) {\nif (!more()) break;\n\(body)say(q\(name));\n}\n"
        case 1: return "for (const \(name) of new Set(\(source))) {\nif (!more()) break;\n\(body)}\n"
        case 2: return "for (const \(name) of (\(source)).\(one("keys", "entries", "values"))()) {\nsay(\(name));\n}\n"
        default: return "for (const \(name) of \(source)) {\nif (!more()) break;\n\(body)}\n"
        }
    }

    private mutating func selection() -> String {
        let kind = either(.number, .text)
        var text = "switch (\(expression(kind))) {\n"
        let standard = random.below(4)
        for number in 0..<3 {
            if number == standard { text += "default: say('default');\n" }
            text += "case \(literal(kind)): {\n\(block(1))} \(random.below(2) == 0 ? "break;" : "")\n"
        }
        return text + "}\n"
    }

    private mutating func attempt() -> String {
        let thrown =
            random.below(3) == 0
            ? "throw \(one("new Error", "new TypeError", "RangeError", "new SyntaxError"))(\(expression(.text))\(one("", ", {cause: 1}")));\n"
            : ""
        let body = block(2)
        let name = freshName("e")
        switch random.below(4) {
        case 0:
            return "try {\n\(body)\(thrown)} catch (\(name)) {\nsay(\(name), \(name) instanceof TypeError);\n}\n"
        case 1: return "try {\n\(body)\(thrown)} catch {\n\(block(1))} finally {\nsay('finally');\n}\n"
        case 2:
            // What finally does takes the place of what was on its way.
            let exit = one("return 'f'", "break", "continue", "say('on')", "throw new Error('f')")
            return """
                say((() => {
                for (let i = 0; i < 2; i++) {
                try { if (\(expression(.boolean))) \(one("return 't' + i", "break", "continue", "throw i")); say('t', i); }
                catch (\(name)) { say(\(name)); \(one("return 'c'", "throw new Error('c')", "continue")); }
                finally { say('f', i); if (\(expression(.boolean))) \(exit); }
                }
                return 'end';
                })());

                """
        default:
            return
                "try { try {\n\(body)\(thrown)} finally {\n\(block(1))} } catch (\(name)) { say(\(name) instanceof Error, \(name)); }\n"
        }
    }

    private mutating func labeled() -> String {
        let (outer, i, j) = (freshName("l"), freshName("i"), freshName("i"))
        if random.below(4) == 0 {
            return "\(outer): {\nsay(1);\nif (\(expression(.boolean))) break \(outer);\n\(block(1))}\n"
        }
        names.append(Variable(name: i, kind: .number, isConstant: true))
        names.append(Variable(name: j, kind: .number, isConstant: true))
        let test = expression(.boolean)
        let body = block(1)
        names.removeLast(2)
        return """
            \(outer): for (let \(i) = 0; \(i) < 3; \(i)++) {
            for (\(one("let \(j) = 0; \(j) < 3; \(j)++", "const \(j) of [0, 1, 2]", "const \(j) in [7, 8]"))) {
            if (!more()) break \(outer);
            try { if (\(test)) \(one("break", "continue")) \(outer); } finally { say('left'); }
            \(body)say(\(i), \(j));
            } }

            """
    }

    private mutating func deadZone() -> String {
        let (name, function) = (freshName("z"), freshName("f"))
        let use = one(
            "\(name)", "typeof \(name)", "\(name) = 1", "\(function)()", "\(name)++", "(() => \(name))()",
            "`${\(name)}`",
            "[\(name)] = [1]", "new \(name)", "\(name).x", "\(name)?.x", "\(name)()")
        let declaration = one(
            "let \(name) = \(literal(anyKind()))", "const \(name) = 5", "class \(name) {}", "let \(name)",
            "const [\(name) = \(name)] = []", "let { \(name), b = \(name) } = { \(name): 1 }",
            "let \(name) = \(name) + 1")
        return """
            {
            function \(function)() { return \(name); }
            try { say(\(use)); } catch (e) { say(e); }
            try { \(declaration); say(\(function)()); } catch (e) { say(e); }
            try { (function (a = b, b = 1) { say(a, b); })(\(one("", "1", "undefined, 2"))); } catch (e) { say(e); }
            }

            """
    }

    private mutating func chain() -> String {
        let object = expression(either(.object, .other))
        let name = property()
        return """
            { let n = 0; const o = \(object);
            say(o?.\(name), o?.[n++], o?.\(name)?.x.y.z, o.none?.(n++).x[n++], n, (o?.none)?.a, o?.none ?? 'd', delete o?.none?.x);
            say(o.\(name)?.(1), o.toString?.().length > 0, null?.[n++], n);
            }

            """
    }
}
