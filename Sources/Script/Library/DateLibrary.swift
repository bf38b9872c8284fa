extension NativeClass {
    static let date = NativeClass(
        name: "Date", length: 7, statics: DateLibrary.statics, properties: DateLibrary.properties
    ) { call throws(Thrown) in
        let realm = call.realm
        guard let newTarget = call.newTarget else {
            return realm.value(TimeText.full(DateLibrary.now(realm), in: DateLibrary.zone))
        }
        let time: Double
        switch call.count {
        case 0: time = DateLibrary.now(realm)
        case 1:
            if case .object(let object) = call[0], let date = object as? DateObject {
                time = date.time
            } else {
                let value = try realm.toPrimitive(call[0])
                if case .text(let text) = value {
                    try realm.spend(text.count >> 3)
                    time = DateParsing.time(text.units, in: DateLibrary.zone)
                } else {
                    time = DateMath.timeClip(try realm.toNumber(value))
                }
            }
        default: time = DateMath.timeClip(DateLibrary.zone.utc(fromLocal: try DateLibrary.localTime(call)))
        }
        let prototype = try realm.prototype(from: newTarget, .date)
        return .object(DateObject(realm, time, prototype: prototype))
    }
}

/// `Date`
enum DateLibrary {
    /// The zone of local times: that of the process.
    static let zone = LocalTime.system

    /// The time value of this moment, as the host says it.
    static func now(_ realm: Realm) -> Double {
        DateMath.timeClip(realm.host.now().rounded(.down))
    }

    static let statics: [NativeProperty] = [
        .method("now", length: 0) { call in .number(now(call.realm)) },
        .method("parse", length: 1) { call throws(Thrown) in
            let text = try call.text(0)
            try call.realm.spend(text.count >> 3)
            return .number(DateParsing.time(text.units, in: zone))
        },
        .method("UTC", length: 7) { call throws(Thrown) in .number(DateMath.timeClip(try localTime(call))) },
    ]

    static let properties: [NativeProperty] = texts + getters + setters + legacy

    /// The arguments year, month, date, hours, minutes, seconds, milliseconds as a time, of whatever zone.
    static func localTime(_ call: NativeCall) throws(Thrown) -> Double {
        var parts: [Double] = [.nan, 0, 1, 0, 0, 0, 0]
        for index in 0..<min(max(call.count, 1), 7) { parts[index] = try call.number(index) }
        let day = DateMath.makeDay(DateMath.makeFullYear(parts[0]), parts[1], parts[2])
        return DateMath.makeDate(day, DateMath.makeTime(parts[3], parts[4], parts[5], parts[6]))
    }

    /// For methods whose errors in V8 say their names.
    private static func date(_ call: NativeCall, _ method: String) throws(Thrown) -> DateObject {
        try call.this(as: DateObject.self, "Date.prototype.\(method)")
    }

    private static func date(_ call: NativeCall) throws(Thrown) -> DateObject {
        guard case .object(let object) = call.this, let date = object as? DateObject else {
            throw call.realm.typeError("this is not a Date object.")
        }
        return date
    }

    // MARK: Texts

    private static let texts: [NativeProperty] = [
        text("toString") { TimeText.full($0, in: zone) },
        text("toDateString") { TimeText.date($0, in: zone) },
        text("toTimeString") { TimeText.time($0, in: zone) },
        text("toUTCString") { TimeText.utc($0) },
        .alias("toGMTString", of: "toUTCString"),
        .method("toISOString", length: 0) { call throws(Thrown) in
            guard let text = TimeText.iso(try date(call, "toISOString").time) else {
                throw call.realm.rangeError("Invalid time value")
            }
            return call.realm.value(text)
        },
        localeText("toLocaleString") { TimeText.locale($0, in: zone) },
        localeText("toLocaleDateString") { TimeText.localeDate($0, in: zone) },
        localeText("toLocaleTimeString") { TimeText.localeTime($0, in: zone) },
        .method("toJSON", length: 1) { call throws(Thrown) in
            let object = try call.thisObject()
            let value = try call.realm.toPrimitive(.object(object), .number)
            if case .number(let number) = value, !number.isFinite { return .null }
            return try call.realm.invoke(.object(object), "toISOString")
        },
        .method(.toPrimitive, length: 1) { call throws(Thrown) in
            let realm = call.realm
            guard case .object(let object) = call.this else {
                throw realm.typeError(
                    "Method Date.prototype [ @@toPrimitive ] called on incompatible receiver \(realm.describe(call.this))"
                )
            }
            guard case .text(let hint) = call[0], ["string", "default", "number"].contains(hint.string) else {
                throw realm.typeError("Invalid hint: \(realm.describe(call[0]))")
            }
            for name in hint.string == "number" ? ["valueOf", "toString"] : ["toString", "valueOf"] {
                if case .object(let method) = try object.get(name), method.isCallable {
                    let result = try realm.call(method, this: call.this, [])
                    if case .object = result { continue }
                    return result
                }
            }
            throw realm.typeError("Cannot convert object to primitive value")
        },
    ]

    private static func text(_ name: String, _ print: @escaping @Sendable (Double) -> String) -> NativeProperty {
        .method(name, length: 0) { call throws(Thrown) in call.realm.value(print(try date(call, name).time)) }
    }

    private static func localeText(_ name: String, _ print: @escaping @Sendable (Double) -> String) -> NativeProperty {
        .method(name, length: 0) { call throws(Thrown) in
            let time = try date(call, name).time
            try call.requireDefaultLocale(0, "Date.prototype.\(name)")
            return call.realm.value(print(time))
        }
    }

    // MARK: Reading

    private static let getters: [NativeProperty] =
        [
            .method("getTime", length: 0) { call throws(Thrown) in .number(try date(call).time) },
            .method("valueOf", length: 0) { call throws(Thrown) in .number(try date(call).time) },
            .method("getTimezoneOffset", length: 0) { call throws(Thrown) in
                let time = try date(call).time
                return .number(time.isNaN ? .nan : -zone.offset(at: time) / 60_000 + 0)
            },
        ]
        + getter("FullYear") { $0.year } + getter("Month") { $0.month } + getter("Date") { $0.day }
        + getter("Day") { $0.weekday } + getter("Hours") { $0.hour } + getter("Minutes") { $0.minute }
        + getter("Seconds") { $0.second } + getter("Milliseconds") { $0.millisecond }

    private static func getter(
        _ name: String, _ field: @escaping @Sendable (DateMath.Fields) -> Int
    ) -> [NativeProperty] {
        [("get", zone), ("getUTC", LocalTime.utc)].map { prefix, zone in
            .method(prefix + name, length: 0) { call throws(Thrown) in
                let time = try date(call).time
                return .number(time.isNaN ? .nan : Double(field(DateMath.fields(zone.local(from: time)))))
            }
        }
    }

    // MARK: Changing

    private enum Part: Int {
        case year, month, day, hour, minute, second, millisecond
    }

    private static let setters: [NativeProperty] =
        [
            .method("setTime", length: 1) { call throws(Thrown) in
                let date = try date(call, "setTime")
                date.time = DateMath.timeClip(try call.number(0))
                return .number(date.time)
            }
        ]
        + setter("FullYear", .year, 3) + setter("Month", .month, 2) + setter("Date", .day, 1)
        + setter("Hours", .hour, 4) + setter("Minutes", .minute, 3) + setter("Seconds", .second, 2)
        + setter("Milliseconds", .millisecond, 1)

    /// `setX` and `setUTCX`: up to `count` parts from one on.
    private static func setter(_ name: String, _ first: Part, _ count: Int) -> [NativeProperty] {
        [("set", zone), ("setUTC", LocalTime.utc)].map { prefix, zone in
            .method(prefix + name, length: count) { call throws(Thrown) in
                let date = try date(call, prefix + name)
                let time = date.time
                // All arguments are read, even when there is no time to change.
                var new: [Double] = []
                for index in 0..<min(max(call.count, 1), count) { new.append(try call.number(index)) }
                // A date that is none has a year only after one is set.
                if time.isNaN, first != .year { return .number(.nan) }
                let local = time.isNaN ? 0 : zone.local(from: time)
                date.time = DateMath.timeClip(zone.utc(fromLocal: changed(local, first, new)))
                return .number(date.time)
            }
        }
    }

    private static func changed(_ local: Double, _ first: Part, _ new: [Double]) -> Double {
        let fields = DateMath.fields(local)
        var parts = [
            fields.year, fields.month, fields.day, fields.hour, fields.minute, fields.second, fields.millisecond,
        ].map(Double.init)
        for (index, value) in new.enumerated() { parts[first.rawValue + index] = value }
        let day = DateMath.makeDay(parts[0], parts[1], parts[2])
        return DateMath.makeDate(day, DateMath.makeTime(parts[3], parts[4], parts[5], parts[6]))
    }

    // MARK: Annex B

    private static let legacy: [NativeProperty] = [
        .method("getYear", length: 0) { call throws(Thrown) in
            let time = try date(call).time
            return .number(time.isNaN ? .nan : Double(DateMath.fields(zone.local(from: time)).year - 1900))
        },
        .method("setYear", length: 1) { call throws(Thrown) in
            let date = try date(call)
            let year = DateMath.makeFullYear(try call.number(0))
            let local = date.time.isNaN ? 0 : zone.local(from: date.time)
            date.time = year.isNaN ? .nan : DateMath.timeClip(zone.utc(fromLocal: changed(local, .year, [year])))
            return .number(date.time)
        },
    ]
}
