/// `Math`
enum MathLibrary {
    static let properties: [NativeProperty] =
        [
            .constant("E", 2.718281828459045), .constant("LN10", 2.302585092994046),
            .constant("LN2", 0.6931471805599453),
            .constant("LOG10E", 0.4342944819032518), .constant("LOG2E", 1.4426950408889634), .constant("PI", Double.pi),
            .constant("SQRT1_2", 0.7071067811865476), .constant("SQRT2", 1.4142135623730951), .tag("Math"),
        ] + MathFunctions.unary.map(unary) + [
            .method("atan2", length: 2) { call throws(Thrown) in
                .number(MathFunctions.atan2(try call.number(0), try call.number(1)))
            },
            .method("hypot", length: 2) { call throws(Thrown) in .number(MathFunctions.hypot(try numbers(call))) },
            .method("imul", length: 2) { call throws(Thrown) in
                .number(MathFunctions.imul(try call.number(0), try call.number(1)))
            },
            .method("max", length: 2) { call throws(Thrown) in
                var result = -Double.infinity
                for index in 0..<call.count { result = MathFunctions.max(result, try call.number(index)) }
                return .number(result)
            },
            .method("min", length: 2) { call throws(Thrown) in
                var result = Double.infinity
                for index in 0..<call.count { result = MathFunctions.min(result, try call.number(index)) }
                return .number(result)
            },
            .method("pow", length: 2) { call throws(Thrown) in
                .number(MathFunctions.pow(try call.number(0), try call.number(1)))
            },
            .method("random", length: 0) { call in .number(call.realm.host.random()) },
        ]

    private static func unary(_ row: (name: String, function: @Sendable (Double) -> Double)) -> NativeProperty {
        .method(row.name, length: 1) { call throws(Thrown) in .number(row.function(try call.number(0))) }
    }

    private static func numbers(_ call: NativeCall) throws(Thrown) -> [Double] {
        var numbers: [Double] = []
        for index in 0..<call.count { numbers.append(try call.number(index)) }
        return numbers
    }

    static func object(_ realm: Realm) -> ScriptObject {
        realm.object({ properties }, prototype: realm.prototype(.object))
    }
}
