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

    /// Lists of many lengths, with comparisons that contradict themselves among others: a sum of what was asked and of the order.
    private static let program = """
        const comparers = [(a, b) => a.k - b.k, (a, b) => a.k > b.k, (a, b) => a.k < b.k ? -1 : 1, (a, b) => a.k > b.k ? 1 : -1, (a, b) => (a.k * 7 + b.k * 13) % 5 - 2, () => 1, () => -1, (a, b) => a.k < b.k, (a, b) => b.k - a.k];
        let seed = 7; const next = (n) => (seed = (seed * 16807) % 2147483647) % n;
        for (const compare of comparers) { const sums = []; for (const size of [2, 31, 63, 64, 65, 100, 129, 257, 500, 1000, 1600]) { for (const range of [3, size]) { const list = Array.from({ length: size }, (_, i) => ({ k: next(5) === 0 ? i : next(range), i })); let asked = 0, sum = 0; list.sort((a, b) => { asked = (asked * 31 + a.i * 7 + b.i) % 1000003; return compare(a, b); }); list.forEach((v, i) => { sum = (sum * 31 + v.i + i) % 1000003; }); sums.push(asked + sum); } } console.log(sums.join()); }
        """

    /// As V8 prints them.
    private static let sums = [
        "9,39,432809,1260450,967270,1315861,1376710,996250,1365974,833230,1235279,1288416,1330112,837918,1114768,710513,1327870,1100511,394857,549956,904790,679147",
        "9,9,1487527,1487527,355621,355621,1024850,1024850,770896,770896,1226246,1226246,601463,601463,1215238,1215238,1318950,1318950,1109421,1109421,1368509,1368509",
        "9,9,980797,1010419,404083,1722899,1153520,696180,868400,1082395,444311,931521,826361,1026136,1476601,1081599,794949,717830,969234,500589,723792,631036",
        "39,39,1406136,788068,1726399,1261638,1330876,1126710,756963,1146955,915761,623684,1132841,565839,1262358,1163213,1194835,1577161,636080,1155883,539971,1140163",
        "9,9,1282295,1156891,1070947,843149,894397,467165,759791,886318,435509,388556,1832376,973019,663881,1174551,525986,1247289,865150,528551,1082884,350433",
        "9,9,1487527,1487527,355621,355621,1024850,1024850,770896,770896,1226246,1226246,601463,601463,1215238,1215238,1318950,1318950,1109421,1109421,1368509,1368509",
        "39,39,944453,944453,234927,234927,794452,794452,474768,474768,1180422,1180422,529194,529194,1158230,1158230,657678,657678,993526,993526,521280,521280",
        "9,9,1487527,1487527,355621,355621,1024850,1024850,770896,770896,1226246,1226246,601463,601463,1215238,1215238,1318950,1318950,1109421,1109421,1368509,1368509",
        "9,9,929687,938629,877696,638003,769239,757102,545393,989581,694263,1316092,928775,1178064,790503,961467,1190392,1110883,1167126,811145,308507,709114",
    ]

    @Test("longer lists are merged as V8 merges them, whatever the comparison says")
    func merging() {
        #expect(ProgramOutput.of(Self.program) == Self.sums)
    }
}
