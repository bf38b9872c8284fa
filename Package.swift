// swift-tools-version: 6.2
import PackageDescription

// One target per room, see the table in README.md: a room never imports a room to its left.
// The target boundary is the wall: what isn't `public` or `package` stays inside.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
    // Tests run with the checks of exclusive access; what they have not found by then costs a tenth of a request.
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: designs(of: name), swiftSettings: strict)
}

func tests(of name: String, _ others: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.init(stringLiteral: name), "TestSupport"] + others, resources: resources,
        swiftSettings: strict)
}

/// Rooms whose invariants are not obvious explain them in a DESIGN.md beside their sources.
func designs(of name: String) -> [String] {
    ["Access", "Network", "Realtime", "Store"].contains(name) ? ["DESIGN.md"] : []
}

let package = Package(
    name: "homeport",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "homeport", targets: ["homeport"])],
    targets: [
        // The system libraries, and the C constants that Swift cannot see.
        .target(name: "CSystem"),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

        room("JSON"),
        room("Patterns"),
        room("Network", ["CSystem", "COpenSSL", "CZlib"]),
        room("GraphQL", ["JSON"]),
        .executableTarget(
            name: "graphql-bench", dependencies: ["GraphQL"], path: "Sources/GraphQLBench", swiftSettings: strict),
        room("Blueprint", ["GraphQL", "JSON"]),
        room("Crypto", ["COpenSSL"]),
        room("Store", ["Blueprint", "CSQLite", "Crypto", "JSON"]),
        room("Access", ["Blueprint", "Crypto", "GraphQL", "JSON", "Patterns"]),
        .executableTarget(
            name: "access-bench",
            dependencies: ["Access", "Blueprint", "Crypto", "Engine", "GraphQL", "JSON", "Store"],
            path: "Sources/AccessBench", swiftSettings: strict),
        room("Engine", ["Access", "Blueprint", "Crypto", "GraphQL", "JSON", "Patterns", "Store"]),
        room("Realtime", ["Access", "Blueprint", "Engine", "GraphQL", "JSON", "Network"]),
        room(
            "Server",
            [
                "Access", "Blueprint", "CSystem", "Crypto", "Engine", "GraphQL", "JSON", "Network", "Patterns",
                "Realtime",
                "Store",
            ]),
        .executableTarget(name: "homeport", dependencies: ["Server"], swiftSettings: strict),
        .executableTarget(
            name: "realtime-bench", dependencies: ["Blueprint", "CSystem", "GraphQL", "JSON", "Network", "Realtime"],
            path: "Sources/RealtimeBench", swiftSettings: strict),
        // Not a part of the product: for measurements and for the protocol suites.
        .executableTarget(
            name: "homeport-echo", dependencies: ["CSystem", "Network"], path: "Sources/EchoServer",
            swiftSettings: strict),

        .target(
            name: "TestSupport", dependencies: ["CSystem", "Network"], path: "Tests/TestSupport", swiftSettings: strict),
        tests(of: "JSON"),
        tests(of: "Patterns"),
        tests(of: "Network", ["CSystem"]),
        tests(of: "GraphQL", ["JSON"]),
        tests(of: "Blueprint", ["GraphQL", "JSON"], resources: [.copy("Golden"), .copy("Diagnostics")]),
        tests(of: "Crypto"),
        tests(of: "Access", ["Blueprint", "Crypto", "GraphQL", "JSON", "Patterns"]),
        tests(of: "Engine", ["Access", "Blueprint", "GraphQL", "JSON", "Store"]),
        tests(of: "Store", ["Blueprint", "CSQLite", "JSON"]),
        tests(of: "Realtime", ["Access", "Blueprint", "CSystem", "Engine", "GraphQL", "JSON", "Network", "Store"]),
        tests(of: "Server", ["Access", "JSON", "Network"]),
        // Cases of what AppSync answers, against the real server.
        .testTarget(
            name: "ConformanceTests", dependencies: ["Access", "Crypto", "JSON", "Network", "TestSupport", "homeport"],
            resources: [.copy("Cases")], swiftSettings: strict),
        .testTarget(
            name: "CommandLineTests", dependencies: ["homeport", "Network", "Server", "TestSupport"],
            swiftSettings: strict),
    ]
)
