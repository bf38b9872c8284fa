// swift-tools-version: 6.2
import PackageDescription

// One target per room, see the table in README.md: a room never imports a room to its left.
// The target boundary is the wall: what isn't `public` or `package` stays inside.

/// With HOMEPORT_WHOLE_ROOMS=1 the compiler reads a room once, and not once for each half of its files and once more for its interface: a
/// quarter less of its time for a build from nothing. A change in a file costs the whole room then, so `.ci/run` asks for it and no developer's build does.
let wholeRooms =
    Context.environment["HOMEPORT_WHOLE_ROOMS"] == "1"
    ? [
        "-whole-module-optimization", "-num-threads", "2", "-no-emit-module-separately-wmo", "-disable-batch-mode",
    ] : []

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
    // Tests run with the checks of exclusive access; what they have not found by then costs a tenth of a request.
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
    // A generic type is asked of its accessor and not by its name: spelling hundreds of names is a tenth of a start.
    .unsafeFlags(
        ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"], .when(configuration: .release)),
    // Each function has a section of its own, so that the linker leaves out and folds what nobody needs twice: an eighth of a room.
    .unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release)),
    // The compiler looks for its own mistakes in what it makes: a twelfth of its time. Tests look for ours.
    .unsafeFlags(["-Xfrontend", "-disable-llvm-verify", "-Xfrontend", "-sil-verify-none"]),
    .unsafeFlags(wholeRooms, .when(configuration: .debug)),
]

/// The last to be compiled, when nothing else is left for the second core: in halves all the same.
let inHalves: [SwiftSetting] =
    wholeRooms.isEmpty ? [] : [.unsafeFlags(["-no-whole-module-optimization", "-enable-batch-mode"])]

/// Rooms do not see the library of regular expressions, which the compiler imports into each file without a word: one call of
/// `contains(String)` brings it into the program, a thirtieth of its size. Rooms ask `contains(bytesOf:)`.
let withoutPatterns: [SwiftSetting] = [
    .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])
]

/// Rooms that neither a read, nor a write, nor a delivery, nor the start of an app goes through: built for size, which takes an
/// eighth less of the compiler's time and of the program.
let cold: Set = [
    "Cloud", "Console", "Delivery", "EventPatterns", "Events", "Functions", "JSONata", "KeyManagement", "Language",
    "Moving",
    "Outbox",
    "Parameters",
    "Programs",
    "Project", "Schedules",
    "UserPool",
    "Workflows",
]
let forSize: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// Every byte of a request goes through JSON, and it is small: optimised in debug builds too, with the checks of a debug build, it costs 11 s
/// of the compiler's time more, and tests take 40 s less. Larger rooms cost more than tests get back.
let quick: Set = ["JSON"]
let forSpeed: [SwiftSetting] = [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// A room, and the system's libraries that it calls. They are named here and not in the module maps: from there each object file
/// would name them once more, and the linker would read an archive for each time.
func room(_ name: String, _ dependencies: [Target.Dependency] = [], links libraries: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: designs(of: name),
        swiftSettings: strict + withoutPatterns + (cold.contains(name) ? forSize : [])
            + (quick.contains(name) ? forSpeed : []),
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

func tests(of name: String, _ others: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.init(stringLiteral: name), "TestSupport"] + others, resources: resources,
        swiftSettings: strict)
}

/// Rooms whose invariants are not obvious explain them in a DESIGN.md beside their sources. The console's page, which has a PAGE.md
/// of its own, goes into the program by ConsolePage.
func designs(of name: String) -> [String] {
    let explained = ["Access", "Console", "Files", "Functions", "Network", "Realtime", "Script", "Store"]
    return (explained.contains(name) ? ["DESIGN.md"] : []) + (name == "Console" ? ["PAGE.md", "Page"] : [])
}

/// Whether the binary carries Swift's libraries and those of the system, so that it starts without looking for them and
/// without binding to them, a quarter of its start. The Makefile asks for it where `scripts/carried-libraries` says it can.
let isStatic = Context.environment["HOMEPORT_STATIC"] == "1"

/// With random addresses the loader would shift 200,000 of them in 850 pages at each start, and each process would have these pages for itself.
/// The program's are fixed, and what the loader writes is read-only from then on. Libraries, stacks and memory lie elsewhere each time.
let fixedAddresses = ["-Xclang-linker", "-no-pie", "-Xlinker", "-z", "-Xlinker", "now"]

/// Swift's own flags for static libraries export 22,511 symbols, which nobody looks up in a program. Functions with the same bytes
/// are folded into one, and tables for unwinding are left out.
let smaller = [
    "-Xlinker", "--no-export-dynamic", "-Xlinker", "--icf=all",
    "-Xlinker", "-T", "-Xlinker", "\(Context.packageDirectory)/Sources/Archives/without-unwinding.ld",
]

/// Archives has linker scripts of the libraries' names, which name their archives. Not every linker looks back into an
/// archive that it has read, as these need it.
let staticFlags =
    [
        "-static-stdlib", "-use-ld=lld", "-Xclang-linker", "-static-libgcc",
        "-L\(Context.packageDirectory)/Sources/Archives",
    ] + smaller + fixedAddresses

/// What pkg-config says would let the linker look for shared libraries first. The headers are where every compiler looks.
func systemPackage(_ name: String) -> String? { isStatic ? nil : name }

let package = Package(
    name: "homeport",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "homeport", targets: ["homeport"]),
        .library(name: "HomeportTesting", targets: ["HomeportTesting"]),
    ],
    targets: [
        // The system libraries, and the C constants that Swift cannot see.
        .target(name: "CSystem"),
        .systemLibrary(name: "COpenSSL", pkgConfig: systemPackage("openssl"), providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: systemPackage("zlib"), providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: systemPackage("sqlite3"), providers: [.apt(["libsqlite3-dev"])]),

        // The files of the console's page, which lie in its room: a program of the build packs them.
        .target(name: "ConsolePage", swiftSettings: strict, plugins: ["ConsolePagePacking"]),
        .plugin(name: "ConsolePagePacking", capability: .buildTool(), dependencies: ["pack-console-page"]),
        .executableTarget(
            name: "pack-console-page", dependencies: ["CZlib"], path: "Plugins/pack-console-page",
            swiftSettings: strict,
            linkerSettings: [.linkedLibrary("z")]),

        room("Threads", ["CSystem"]),
        room("JSON", ["Threads"]),
        room("Patterns"),
        room("Script", ["Threads"]),
        // Not a part of the product: runs files, for measurements and for conformance suites.
        .executableTarget(
            name: "script-run", dependencies: ["Script", "Threads"], path: "bench/sources/script", swiftSettings: strict
        ),
        room("HTTP2"),
        room(
            "Network", ["CSystem", "COpenSSL", "Crypto", "CZlib", "HTTP2", "Threads"], links: ["ssl", "crypto", "z"]),
        room("GraphQL", ["JSON", "Threads"]),
        .executableTarget(
            name: "graphql-bench", dependencies: ["GraphQL"], path: "bench/sources/graphql", swiftSettings: strict),
        room("Blueprint", ["GraphQL", "JSON", "Threads"]),
        room("Crypto", ["COpenSSL"], links: ["ssl", "crypto"]),
        room("Resolvers", ["Crypto", "JSON", "Patterns", "Script", "Threads"]),
        .executableTarget(
            name: "resolvers-bench", dependencies: ["JSON", "Resolvers"], path: "bench/sources/resolvers",
            swiftSettings: strict),
        room("Postgres", ["COpenSSL", "CSystem", "Crypto", "Network", "Threads"], links: ["ssl", "crypto"]),
        room(
            "Store", ["Blueprint", "CSQLite", "Crypto", "JSON", "Network", "Postgres", "Threads"], links: ["sqlite3"]),
        room("Access", ["Blueprint", "Crypto", "GraphQL", "JSON", "Patterns", "Threads"]),
        .executableTarget(
            name: "access-bench",
            dependencies: ["Access", "Blueprint", "Crypto", "Engine", "GraphQL", "JSON", "Store"],
            path: "bench/sources/access", swiftSettings: strict),
        room("Cloud", ["Access", "Crypto", "JSON", "Network", "Threads"]),
        room("Delivery", ["Access", "JSON", "Network", "Threads"]),
        room("UserPool", ["Access", "Cloud", "Crypto", "JSON", "Store", "Threads"]),
        room(
            "Files", ["Access", "COpenSSL", "CSystem", "Crypto", "Delivery", "JSON", "Network", "Store", "Threads"],
            links: ["ssl", "crypto"]),
        room("EventPatterns", ["JSON"]),
        room("Schedules", ["JSON", "Network", "Threads"]),
        room("Outbox", ["Access", "Cloud", "Crypto", "EventPatterns", "JSON", "Network", "Store"]),
        room("Queues", ["Access", "Cloud", "Crypto", "Delivery", "JSON", "Network", "Store"]),
        room("Events", ["Access", "Cloud", "Crypto", "EventPatterns", "JSON", "Queues", "Schedules", "Store"]),
        room("Parameters", ["Access", "Cloud", "Crypto", "JSON", "Network", "Patterns", "Store"]),
        room("KeyManagement", ["Access", "Cloud", "Crypto", "JSON", "Network"]),
        room("JSONata", ["Crypto", "JSON", "Script"]),
        room("Workflows", ["Access", "Cloud", "Crypto", "JSON", "JSONata", "Network", "Store"]),
        room("Language", ["CSystem", "Crypto", "JSON", "Network", "Threads"]),
        room("Items", ["Access", "Blueprint", "Cloud", "Crypto", "JSON", "Store", "Threads"]),
        room("Moving", ["CSystem", "Crypto", "Files", "Items", "JSON", "Network"]),
        .executableTarget(
            name: "sign-in-bench", dependencies: ["COpenSSL", "Crypto", "JSON", "UserPool"],
            path: "bench/sources/sign-in",
            swiftSettings: strict),
        room("Functions", ["CSystem", "Crypto", "JSON", "Network", "Threads"]),
        room(
            "Engine", ["Access", "Blueprint", "Crypto", "GraphQL", "JSON", "Patterns", "Resolvers", "Store", "Threads"]),
        room("Channels", ["Blueprint", "JSON"]),
        room(
            "Realtime",
            ["Access", "Blueprint", "Channels", "Crypto", "Engine", "GraphQL", "JSON", "Network", "Threads"]),
        room(
            "Console",
            [
                "Access", "Blueprint", "ConsolePage", "Crypto", "Engine", "Files", "GraphQL", "JSON", "Network",
                "Outbox", "Realtime", "Store", "Threads", "UserPool",
            ]),
        room("Project", ["Blueprint", "GraphQL", "JSON"]),
        room("Programs", ["Blueprint", "Crypto", "GraphQL", "JSON", "Project", "Script", "Threads"]),
        room(
            "Server",
            [
                "Access", "Blueprint", "Channels", "Cloud", "Console", "CSystem", "Crypto", "Delivery", "Engine",
                "Events",
                "Files", "Functions",
                "GraphQL", "Items", "JSON", "KeyManagement", "Language", "Moving", "Network", "Outbox", "Parameters",
                "Patterns", "Project",
                "Queues",
                "Realtime", "Resolvers", "EventPatterns", "Schedules", "Store", "Threads", "UserPool", "Workflows",
            ]),
        .executableTarget(
            name: "homeport", dependencies: ["Blueprint", "Programs", "Server"], swiftSettings: strict,
            linkerSettings: isStatic ? [.unsafeFlags(staticFlags, .when(configuration: .release))] : []),
        .executableTarget(
            name: "realtime-bench",
            dependencies: ["Access", "Blueprint", "CSystem", "GraphQL", "JSON", "Network", "Realtime"],
            path: "bench/sources/realtime", swiftSettings: strict),
        // Not a part of the product: for measurements and for the protocol suites.
        .executableTarget(
            name: "homeport-echo", dependencies: ["CSystem", "Network"], path: "bench/sources/echo",
            swiftSettings: strict),

        // For the test targets of apps: starts the program, and has no part of it. Flags that are not safe would keep it out of them.
        .target(
            name: "HomeportTesting", path: "Kits/swift/HomeportTesting", swiftSettings: [.swiftLanguageMode(.v6)]),
        .testTarget(
            name: "HomeportTestingTests", dependencies: ["HomeportTesting", "homeport", "TestSupport"],
            swiftSettings: strict),

        // Not a part of the product: a program that speaks the Runtime API, for tests, well or badly.
        .executableTarget(
            name: "test-runtime", dependencies: ["CSystem", "JSON"], path: "Tests/Programs/test-runtime",
            swiftSettings: strict),

        .target(
            name: "TestSupport", dependencies: ["CSpawn", "CSystem", "CTasks", "Network"], path: "Tests/TestSupport",
            swiftSettings: strict),
        .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
        // Threads enough for tasks of tests, which may wait.
        .target(name: "CTasks", path: "Tests/CTasks"),
        // A PostgreSQL for the tests of more than one room, made once.
        .target(
            name: "PostgresSupport", dependencies: ["Network", "Postgres", "Store", "TestSupport"],
            path: "Tests/PostgresSupport", swiftSettings: strict),
        tests(of: "JSON"),
        tests(of: "Threads"),
        tests(of: "Patterns"),
        tests(of: "Script"),
        tests(of: "HTTP2"),
        // With Delivery, whose sender of mails is tested against the mail server that these tests have.
        tests(of: "Network", ["CSystem", "Crypto", "Delivery", "HTTP2"]),
        tests(of: "GraphQL", ["JSON"]),
        tests(of: "Blueprint", ["GraphQL", "JSON"], resources: [.copy("Golden"), .copy("Diagnostics")]),
        tests(of: "Project", ["Blueprint", "JSON"]),
        tests(of: "Programs", ["Blueprint", "GraphQL", "JSON", "Project"]),
        tests(of: "Crypto"),
        tests(of: "Postgres", ["CSystem", "Crypto", "Network", "PostgresSupport", "Threads"]),
        tests(of: "Resolvers", ["JSON", "Patterns", "Threads"], resources: [.copy("Cases")]),
        tests(of: "Access", ["Blueprint", "Crypto", "GraphQL", "JSON", "Patterns"]),
        tests(
            of: "Files", ["Access", "Blueprint", "CSystem", "Crypto", "JSON", "Network", "PostgresSupport", "Store"],
            resources: [.copy("Vectors")]),
        tests(
            of: "UserPool", ["Access", "Blueprint", "Cloud", "Crypto", "JSON", "PostgresSupport", "Store"],
            resources: [.copy("Vectors")]),
        tests(of: "Delivery", ["Access", "JSON", "Network"]),
        tests(of: "Cloud", ["Access", "Crypto", "JSON", "Network"]),
        tests(of: "Outbox", ["Access", "Blueprint", "Cloud", "Crypto", "JSON", "Network", "PostgresSupport", "Store"]),
        tests(of: "Parameters", ["Blueprint", "Cloud", "GraphQL", "JSON", "PostgresSupport", "Store"]),
        tests(of: "KeyManagement", ["Cloud", "Crypto", "JSON"]),
        tests(of: "Queues", ["Access", "Blueprint", "Cloud", "Crypto", "JSON", "Network", "PostgresSupport", "Store"]),
        tests(of: "EventPatterns", ["JSON"]),
        tests(of: "Channels", ["Blueprint", "JSON"]),
        tests(of: "Schedules", ["JSON", "Network", "Threads"]),
        tests(
            of: "Events",
            ["Access", "Blueprint", "Cloud", "EventPatterns", "GraphQL", "JSON", "PostgresSupport", "Queues", "Store"]),
        tests(of: "JSONata", ["JSON"]),
        tests(
            of: "Workflows",
            ["Blueprint", "Cloud", "Crypto", "GraphQL", "JSON", "Network", "PostgresSupport", "Store"]),
        tests(of: "Language", ["Crypto", "JSON", "Network"]),
        tests(of: "Items", ["Access", "Blueprint", "Crypto", "JSON", "PostgresSupport", "Store"]),
        tests(of: "Moving", ["Crypto", "Items", "JSON", "Network"]),
        tests(of: "Functions", ["JSON", "Network", "Threads", "test-runtime"]),
        tests(
            of: "Engine",
            [
                "Access", "Blueprint", "GraphQL", "JSON", "Postgres", "PostgresSupport", "Programs",
                "Project", "Resolvers", "Store",
                "Threads",
            ]),
        tests(of: "Store", ["Blueprint", "CSQLite", "Crypto", "JSON", "Network", "Postgres", "PostgresSupport"]),
        tests(
            of: "Realtime",
            [
                "Access", "Blueprint", "CSystem", "Channels", "Crypto", "Engine", "GraphQL", "JSON", "Network",
                "PostgresSupport", "Store",
            ]),
        tests(
            of: "Console", ["Access", "ConsolePage", "Engine", "JSON", "Network", "Realtime"]),
        tests(
            of: "Server",
            [
                "Access", "Blueprint", "Channels", "Cloud", "Engine", "Events", "Functions", "GraphQL", "Items", "JSON",
                "KeyManagement", "Language", "Moving", "Network", "Parameters", "PostgresSupport", "Programs",
                "Project",
                "Queues", "Realtime", "Store", "UserPool",
            ]),
        // Cases of what AppSync answers, against the real server.
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["Access", "Crypto", "JSON", "Network", "PostgresSupport", "TestSupport", "homeport"],
            resources: [.copy("Cases")], swiftSettings: strict),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "Crypto", "homeport", "Network", "PostgresSupport", "Server", "TestSupport", "test-runtime",
            ],
            swiftSettings: strict + inHalves),
    ]
)

/// `HOMEPORT_ROOMS=Store,CommandLine` leaves out the tests of all other rooms, and the benches: a change is built and tested in a
/// fraction of the time. Tests that are left out are not run, so the last word has a build without it.
if let rooms = Context.environment["HOMEPORT_ROOMS"]?.split(separator: ","), !rooms.isEmpty {
    package.targets.removeAll { target in
        let isOtherTest = target.type == .test && !rooms.contains { target.name == "\($0)Tests" }
        return isOtherTest || target.path?.hasPrefix("bench/") == true
    }
}
