import Testing

@testable import Script

@Suite("Map and Set")
struct CollectionTests {
    static let programs: [(String, [String])] = [
        (
            "const m = new Map([[1, 'a'], ['1', 'b'], [NaN, 'c'], [-0, 'd']]); console.log(m.size, m.get(1), m.get('1'), m.get(NaN), m.get(0), Object.is([...m.keys()][3], 0))",
            ["4 a b c d true"]
        ),
        (
            "const k = {}; const m = new Map().set(k, 1).set({}, 2); console.log(m.get(k), m.get({}), m.has(k), m.delete(k), m.delete(k), m.size)",
            ["1 undefined true true false 1"]
        ),
        (
            "const m = new Map([['b', 1], ['a', 2]]); m.set('b', 3); m.delete('a'); m.set('a', 4); console.log(JSON.stringify([...m]))",
            [#"[["b",3],["a",4]]"#]
        ),
        (
            "const m = new Map([[1, 1], [2, 2], [3, 3]]); const seen = []; for (const [k] of m) { seen.push(k); if (k === 1) { m.delete(2); m.set(4, 4) } } console.log(seen.join())",
            ["1,3,4"]
        ),
        (
            "const s = new Set([1, 2, 3]); const seen = []; s.forEach(v => { seen.push(v); if (v < 6) { s.delete(v); s.add(v + 3) } }); console.log(seen.join(), [...s].join())",
            ["1,2,3,4,5,6,7,8 6,7,8"]
        ),
        (
            "const s = new Set([1]); const i = s.values(); i.next(); s.clear(); s.add(2); console.log(JSON.stringify(i.next()), JSON.stringify(i.next()), (s.add(3), JSON.stringify(i.next())))",
            [#"{"value":2,"done":false} {"done":true} {"done":true}"#]
        ),
        (
            "const s = new Set(); for (let i = 0; i < 1000; i++) s.add(i); let n = 0; for (const v of s) { n++; s.delete(v); s.delete(v + 500) } console.log(n, s.size)",
            ["500 0"]
        ),
        (
            "console.log([...new Set([1, 1, 2]).entries()].join('|'), [...new Set(['a', 'a', 'b'])].join(''))",
            ["1,1|2,2 ab"]
        ),
        (
            "class A extends Map { get(k) { return 'got ' + super.get(k) } } const a = new A([[1, 2]]); console.log(a.get(1), a instanceof A, a instanceof Map)",
            ["got 2 true true"]
        ),
        (
            "try { Map() } catch (e) { console.log(e.message) } try { new Map([1]) } catch (e) { console.log(e.message) } try { new Map(5) } catch (e) { console.log(e.name) }",
            ["Constructor Map requires 'new'", "Iterator value 1 is not an entry object", "TypeError"]
        ),
        (
            "try { Set.prototype.add.call(new Map, 1) } catch (e) { console.log(e.message) }",
            ["Method Set.prototype.add called on incompatible receiver #<Map>"]
        ),
        (
            "console.log(Map.length, Map.prototype.set.length, Map.prototype[Symbol.iterator] === Map.prototype.entries, Set.prototype.keys === Set.prototype.values, Object.prototype.toString.call(new Set), Object.prototype.toString.call(new Map().keys()))",
            ["0 2 true true [object Set] [object Map Iterator]"]
        ),
        (
            "const m = Map.groupBy([1, -0, 2, 0], (v, i) => i === 2 ? NaN : v * 1); console.log(m instanceof Map, m.size, m.get(0).length, Object.is([...m.keys()][1], 0), m.get(NaN).join(), Map.groupBy.length)",
            ["true 3 2 true 2 2"]
        ),
        ("const m = new Map(); m.set(m, m); console.log(m.get(m) === m)", ["true"]),
    ]

    @Test("keep their entries in order, whatever happens while they are gone through", arguments: programs)
    func prints(_ program: String, _ expected: [String]) {
        #expect(ProgramOutput.of(program) == expected)
    }
}
