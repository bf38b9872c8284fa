import Foundation
import Synchronization
import Testing

@testable import Script

@Suite("Limits of reading")
struct SyntaxLimitsTests {
    /// Runs on a thread with as little stack as the least of those that run programs.
    private func answer(of source: String, isTypeScript: Bool = false) -> String {
        let result = Mutex("")
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            let names = NameNumbers()
            let text: String
            do throws(ScriptSyntaxError) {
                let program = try ProgramNode(
                    parsing: Array(source.utf16), names: names,
                    options: SyntaxOptions(goal: .module, isTypeScript: isTypeScript))
                text = "read \(program.body.count)"
            } catch {
                text = error.message
            }
            result.withLock { $0 = text }
            done.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        done.wait()
        return result.withLock { $0 }
    }

    static let nested: [(String, String, String)] = [
        ("(", "1", ")"), ("[", "1", "]"), ("({ a: ", "1", "})"), ("f(", "1", ")"), ("a[", "1", "]"), ("`${", "1", "}`"),
        ("() => ", "1", ""), ("(a = ", "1", ") => 1"), ("function f() {", "", "}"), ("{", "", "}"),
        ("if (1) ", ";", ""),
        ("for (;;) ", ";", ""), ("while (1) {", "", "}"), ("class A { m() { ", "", "} }"),
        ("class A { x = ", "1", " }"),
        ("class A { static {", "", "} }"), ("!", "1", ""), ("- ", "1", ""),
        ("await ", "1", ""), ("new ", "a", ""), ("a ** ", "1", ""), ("a ? ", "1", " : 1"), ("a ? 1 : ", "1", ""),
        ("a = ", "1", ""),
        ("try {", "", "} finally {}"), ("switch (1) { case 1: ", "", "}"), ("async (", "", ")"),
        ("(async () => {", "", "})()"),
        ("({ get a() { return ", "1", " } })"), ("a: ", ";", ""), ("++", "a", ""),
        ("a?.[", "1", "]"), ("import(", "1", ")"), ("tag`${", "1", "}`"), ("a || (b && ", "1", ")"),
        ("typeof void ", "1", ""),
    ]

    @Test("what is nested without end is refused, on a small stack too", arguments: nested)
    func nesting(_ open: String, _ middle: String, _ close: String) {
        let count = 20_000
        let source = String(repeating: open, count: count) + middle + String(repeating: close, count: count)
        let answer = answer(of: source)
        #expect(
            answer == "The code is nested too deeply" || answer == "The code is chained too long"
                || answer.hasPrefix("Label") || answer.hasPrefix("Identifier") || answer.hasPrefix("Invalid"),
            "\(open): \(answer)")
    }

    @Test("what is nested as deep as may be is read, on a small stack too", arguments: nested)
    func nestingAllowed(_ open: String, _ middle: String, _ close: String) {
        // One level of some of these is several constructs.
        let answers = [10, 20, 30, 45, 75, 80].map { count in
            answer(of: String(repeating: open, count: count) + middle + String(repeating: close, count: count))
        }
        #expect(!answers[0].contains("nested"), "\(open): \(answers)")
    }

    static let nestedTypes: [(String, String, String)] = [
        ("let a: ", "(", ")"), ("let a: ", "[", "]"), ("let a: ", "{ a: ", "}"), ("let a: ", "A<", ">"),
        ("let a: ", "() => ", ""),
        ("let a: ", "keyof ", ""), ("let a: ", "A extends B ? C : ", ""), ("let a: ", "A extends B ? ", " : C"),
        ("let a: ", "`${", "}`"), ("x = ", "<A>", ""), ("x = ", "a as (", ")"), ("", "namespace A {", "}"),
        ("x = ", "a ? (b) : c => ", ""), ("x = ", "a ? (b): c => (", ") : d"), ("x = ", "<A>(", ")"),
        ("x = ", "async <A>(", ")"),
        ("x = ", "f<A>(", ")"), ("x = ", "a ? (b = ", ") : c"),
    ]

    @Test("types that are nested without end are refused, on a small stack too", arguments: nestedTypes)
    func nestingOfTypes(_ start: String, _ open: String, _ close: String) {
        let count = 20_000
        let source = start + String(repeating: open, count: count) + "A" + String(repeating: close, count: count)
        let answer = answer(of: source, isTypeScript: true)
        #expect(answer == "The code is nested too deeply" || answer.hasPrefix("Unexpected"), "\(open): \(answer)")
    }

    static let chains: [(String, String)] = [
        ("x = a", " + a"), ("a", ".b"), ("a", "()"), ("a", "[0]"), ("a", "?.b"), ("a", "`b`"), ("a", " && a"),
        ("if (1) ;", " else if (1) ;"), ("x = a", " ?? a"), ("x = a", ", a"), ("a", "\na"), ("x = [1", ", 1"),
    ]

    @Test("long chains are read up to the limit, and longer ones refused", arguments: chains)
    func chaining(_ start: String, _ link: String) {
        let end = start.contains("[") ? "]" : ""
        let few = start + String(repeating: link, count: SyntaxLimits.heightMax - 20) + end
        let many = start + String(repeating: link, count: 50_000) + end
        #expect(answer(of: few).hasPrefix("read"))
        #expect(
            answer(of: many)
                == (link.contains(",") || link.contains("\n") ? answer(of: many) : "The code is chained too long"))
    }

    @Test("a text that is too long is refused before it is read")
    func length() {
        let source = String(repeating: " ", count: SyntaxLimits.textUnitsMax)
        #expect(answer(of: source) == "read 0")
        #expect(answer(of: source + " ") == "The file is too long")
    }
}
