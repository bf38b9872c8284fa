import Testing

@testable import Script

@Suite("Modules of Node")
struct NodeTests {
    static let paths = #"""
        import path from 'node:path'
        const ps = ['', '.', '..', '/', '//', 'a', 'a/', '/a', '/a/', 'a/b', 'a/b/', '/a/b.c', './a', '../a', '../../a/../b', 'a//b', 'a/./b/../c', '/..', '/../a', 'a.b.c', '.a', '.a.b', 'a.', '..a', 'a/..', '/a/b/../../..', 'a/../..', '//a', '//a//b//', 'a/.b', 'a/b.', 'é/ü.x']
        const out = []
        for (const p of ps) { const q = path.parse(p); out.push([p, path.normalize(p), path.dirname(p), path.basename(p), path.extname(p), path.isAbsolute(p), path.resolve(p), q.root, q.dir, q.base, q.ext, q.name, path.format(q)].join('|')) }
        const ms = [['a', 'b'], ['a', '../b'], ['/a', '/b'], ['', ''], ['a', '', 'b/'], ['..', 'a', '..'], ['/', 'a', './b', '..']]
        for (const m of ms) out.push(m.join('+') + '|' + path.join(...m) + '|' + path.resolve(...m))
        for (const [a, b] of [['/a/b/c', '/a/d'], ['/a', '/a'], ['/a/b', '/a/b/c'], ['/a/bc', '/a/b'], ['/', '/a'], ['/a', '/'], ['a', 'b'], ['/a/b/', '/a']]) out.push(a + '>' + b + '|' + path.relative(a, b))
        out.push([path.basename('a.ts', '.ts'), path.basename('.ts', '.ts'), path.basename('a.ts/', 's'), path.basename('a', 'b'), path.format({ dir: '/x', name: 'y', ext: 'z' }), path.format({ root: '/', base: 'q' }), path.sep, path.delimiter, path.posix === path, path.posix.join('a', 'b')].join('|'))
        for (const line of out) console.log(line)
        """#

    /// As Node prints it.
    static let printed = #"""
        |.|.|||false|/home||||||
        .|.|.|.||false|/home|||.||.|.
        ..|..|.|..||false|/|||..||..|..
        /|/|/|||true|/|/|/||||/
        //|/|/|||true|/|/|/||||/
        a|a|.|a||false|/home/a|||a||a|a
        a/|a/|.|a||false|/home/a|||a||a|a
        /a|/a|/|a||true|/a|/|/|a||a|/a
        /a/|/a/|/|a||true|/a|/|/|a||a|/a
        a/b|a/b|a|b||false|/home/a/b||a|b||b|a/b
        a/b/|a/b/|a|b||false|/home/a/b||a|b||b|a/b
        /a/b.c|/a/b.c|/a|b.c|.c|true|/a/b.c|/|/a|b.c|.c|b|/a/b.c
        ./a|a|.|a||false|/home/a||.|a||a|./a
        ../a|../a|..|a||false|/a||..|a||a|../a
        ../../a/../b|../../b|../../a/..|b||false|/b||../../a/..|b||b|../../a/../b
        a//b|a/b|a/|b||false|/home/a/b||a/|b||b|a//b
        a/./b/../c|a/c|a/./b/..|c||false|/home/a/c||a/./b/..|c||c|a/./b/../c
        /..|/|/|..||true|/|/|/|..|.|.|/..
        /../a|/a|/..|a||true|/a|/|/..|a||a|/../a
        a.b.c|a.b.c|.|a.b.c|.c|false|/home/a.b.c|||a.b.c|.c|a.b|a.b.c
        .a|.a|.|.a||false|/home/.a|||.a||.a|.a
        .a.b|.a.b|.|.a.b|.b|false|/home/.a.b|||.a.b|.b|.a|.a.b
        a.|a.|.|a.|.|false|/home/a.|||a.|.|a|a.
        ..a|..a|.|..a|.a|false|/home/..a|||..a|.a|.|..a
        a/..|.|a|..||false|/home||a|..||..|a/..
        /a/b/../../..|/|/a/b/../..|..||true|/|/|/a/b/../..|..||..|/a/b/../../..
        a/../..|..|a/..|..||false|/||a/..|..||..|a/../..
        //a|/a|//|a||true|/a|/|/|a||a|/a
        //a//b//|/a/b/|//a/|b||true|/a/b|/|//a/|b||b|//a//b
        a/.b|a/.b|a|.b||false|/home/a/.b||a|.b||.b|a/.b
        a/b.|a/b.|a|b.|.|false|/home/a/b.||a|b.|.|b|a/b.
        é/ü.x|é/ü.x|é|ü.x|.x|false|/home/é/ü.x||é|ü.x|.x|ü|é/ü.x
        a+b|a/b|/home/a/b
        a+../b|b|/home/b
        /a+/b|/a/b|/b
        +|.|/home
        a++b/|a/b/|/home/a/b
        ..+a+..|..|/
        /+a+./b+..|/a|/a
        /a/b/c>/a/d|../../d
        /a>/a|
        /a/b>/a/b/c|c
        /a/bc>/a/b|../b
        />/a|a
        /a>/|..
        a>b|../b
        /a/b/>/a|..
        a||a.t|a|/x/y.z|/q|/|:|true|a/b
        """#

    @Test("node:path joins, divides and compares paths as Node does")
    func printedPaths() {
        #expect(
            ProgramOutput.of(Self.paths)
                == Self.printed.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }

    static let programs: [(String, [String])] = [
        (
            "import { join } from 'path'; import * as p from 'node:path'; console.log(join('a', 'b'), p.default.join === join)",
            ["a/b true"]
        ),
        (
            "import { join } from 'path'; try { join(1) } catch (e) { console.log(e.message) }",
            ["The \"path\" argument must be of type string. Received 1"]
        ),
        (
            "console.log(process.cwd(), process.env.STAGE, process.env.MISSING, process.argv.length, process.platform)",
            ["/home dev undefined 2 linux"]
        ),
        (
            "import process, { env, cwd } from 'node:process'; console.log(env.HOME, cwd(), process.platform)",
            ["/home /home linux"]
        ),
        (
            "import { fileURLToPath } from 'url'; import { dirname } from 'path'; console.log(dirname(fileURLToPath('file:///home/a%20b/c.ts')), fileURLToPath('file://localhost/x?y#z'))",
            ["/home/a b /x"]
        ),
        (
            "import { fileURLToPath } from 'url'; for (const u of ['http://a/b', 'file://host/a', 'file:///a%2Fb', 'x']) try { fileURLToPath(u) } catch (e) { console.log(e.message) }",
            [
                "The URL must be of scheme file", "File URL host must be \"localhost\" or empty on host",
                "File URL path must not include encoded / characters", "Invalid URL",
            ]
        ),
        (
            "import { readFileSync, existsSync } from 'fs'; console.log(readFileSync('./a b.txt', 'utf8'), readFileSync('/home/a b.txt', { encoding: 'utf-8' }), existsSync('a b.txt'), existsSync('c'))",
            ["text é text é true false"]
        ),
        (
            "import fs from 'fs'; try { fs.readFileSync('c', 'utf8') } catch (e) { console.log(e.message, e.code) }",
            ["ENOENT: no such file or directory, open '/home/c' ENOENT"]
        ),
        (
            "import { pathToFileURL, fileURLToPath, URL as U } from 'node:url'; const u = pathToFileURL('a b%#?.ts'); console.log(u.href, u instanceof URL, U === URL, fileURLToPath(u), fileURLToPath(new URL('./x', import.meta.url)))",
            ["file:///home/a%20b%25%23%3F.ts true true /home/a b%#?.ts /x"]
        ),
        ("import fs from 'fs'; fs.readFileSync('a b.txt')", ["readFileSync only gives texts"]),
        (
            "import fs from 'fs'; try { fs.readFileSync('/etc/passwd', 'utf8') } catch (e) { console.log('caught') }",
            ["/etc/passwd is outside of the project"]
        ),
    ]

    @Test("what a program reads of its surroundings is what the host lends", arguments: programs)
    func prints(_ program: String, _ expected: [String]) {
        #expect(ProgramOutput.of(program) == expected)
    }
}
