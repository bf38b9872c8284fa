import Testing

@testable import Script

@Suite("Lists in order")
struct SortTests {
    /// Each was printed by V8.
    static let programs: [(String, [String])] = [
        (
            "const asked = []; const r = [3, 1, 2, 5, 4].sort((a, b) => (asked.push(a + '' + b), a - b)); console.log(r.join(), asked.join())",
            ["1,2,3,4,5 13,21,23,21,52,53,43,45"]
        ),
        (
            "const asked = []; [1, 2, 3].toSorted((a, b) => (asked.push(a + '' + b), a - b)); console.log(asked.join())",
            ["21,32"]
        ),
        (
            "const l = ['b1', 'a1', 'b2', 'a2', 'b3', 'a3'].sort((a, b) => a[0] < b[0] ? -1 : 1); console.log(l.join())",
            ["a1,a2,a3,b1,b2,b3"]
        ),
        (
            "console.log([2, 1, 3].sort(() => 1).join(), [2, 1, 3].sort(() => -1).join(), [2, 1, 3].sort(() => NaN).join())",
            ["2,1,3 3,1,2 2,1,3"]
        ),
        (
            "console.log([5, , undefined, 1].sort((a, b) => a - b).map(String).join(), [[2, 'a'], [1, 'b'], [2, 'c'], [1, 'd']].sort((a, b) => a[0] - b[0]).join())",
            ["1,5,undefined, 1,b,1,d,2,a,2,c"]
        ),
        (
            "const l = Array.from({ length: 200 }, (_, i) => [i * 37 % 10, i]).sort((a, b) => a[0] - b[0]); console.log(l.every((v, i) => !i || l[i - 1][0] < v[0] || l[i - 1][0] === v[0] && l[i - 1][1] < v[1]))",
            ["true"]
        ),
        (
            "console.log([undefined, Object.create(null)].toSorted().length, [Symbol.iterator].sort().length, [, Symbol.iterator].sort((a, b) => a - b).length)",
            ["2 1 2"]
        ),
    ]

    @Test("a comparison is asked what V8 asks it, and equal values stay as they were", arguments: programs)
    func prints(_ program: String, _ expected: [String]) {
        #expect(ProgramOutput.of(program) == expected)
    }

    /// Comparisons, some of which contradict themselves, with what V8 prints of them: see `merging`.
    static let comparisons: [(String, String)] = [
        (
            "(a, b) => a.k - b.k",
            "9,39,432809,1260450,967270,1315861,1376710,996250,1365974,833230,1184120,527628,726102,1465990"
        ),
        (
            "(a, b) => a.k > b.k",
            "9,9,1487527,1487527,355621,355621,1024850,1024850,770896,770896,601463,601463,632806,632806"
        ),
        (
            "(a, b) => a.k < b.k ? -1 : 1",
            "9,39,432809,1260450,967270,1315861,1376710,996250,1365974,833230,1184120,527628,726102,1465990"
        ),
        (
            "(a, b) => a.k > b.k ? 1 : -1",
            "9,39,893896,641800,1066327,1147425,928616,826479,1764481,400443,1042163,236876,1064599,1327382"
        ),
        (
            "(a, b) => (a.k * 7 + b.k * 13) % 5 - 2",
            "9,9,951776,714006,596995,1503500,1252026,446412,696168,1284496,782388,309907,1808177,1600043"
        ),
        ("() => 1", "9,9,1487527,1487527,355621,355621,1024850,1024850,770896,770896,601463,601463,632806,632806"),
        ("() => -1", "39,39,944453,944453,234927,234927,794452,794452,474768,474768,529194,529194,319948,319948"),
        (
            "(a, b) => a.k < b.k",
            "9,9,1487527,1487527,355621,355621,1024850,1024850,770896,770896,601463,601463,632806,632806"
        ),
        (
            "(a, b) => b.k - a.k",
            "39,9,826580,411055,923311,1430774,555619,1154114,1784021,1313588,1268424,835178,1431284,1466706"
        ),
    ]

    /// Lists of many lengths: for each, a sum of what was asked and of the order.
    private static func program(comparing comparison: String) -> String {
        """
        let seed = 7; const next = (n) => (seed = (seed * 16807) % 2147483647) % n;
        const compare = \(comparison); const sums = [];
        for (const size of [2, 31, 63, 64, 65, 129, 300]) for (const range of [3, size]) {
            const list = Array.from({ length: size }, (_, i) => ({ k: next(5) === 0 ? i : next(range), i }));
            let asked = 0, sum = 0;
            list.sort((a, b) => { asked = (asked * 31 + a.i * 7 + b.i) % 1000003; return compare(a, b); });
            list.forEach((v, i) => { sum = (sum * 31 + v.i + i) % 1000003; });
            sums.push(asked + sum);
        }
        console.log(sums.join());
        """
    }

    @Test("longer lists are merged as V8 merges them, whatever the comparison says", arguments: comparisons)
    func merging(_ comparison: String, _ sums: String) {
        #expect(ProgramOutput.of(Self.program(comparing: comparison)) == [sums])
    }
}
