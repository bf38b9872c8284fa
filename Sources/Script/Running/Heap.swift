/// The objects of a realm that live, in a ring, and what they cost.
///
/// An object goes as soon as nothing holds it; those that hold one another in circles go when the realm ends. A chain of
/// objects can be as long as a program likes, so what an object held is let go one link after the other, not one inside
/// the other.
final class Heap {
    let meter: MemoryMeter
    unowned(unsafe) private var first: ScriptObject?
    private(set) var count = 0
    private var releaseDepth = 0
    private var remains: [Remains] = []

    private static let releaseDepthMax = 64

    private enum Remains {
        case properties(ContiguousArray<PropertyTable.Property>, ScriptObject?)
        case values(ContiguousArray<Value>)
        case objects([AnyObject])
    }

    init(_ meter: MemoryMeter) {
        self.meter = meter
    }

    func enter(_ object: ScriptObject) {
        object.following = first
        first?.previous = object
        first = object
        count += 1
        meter.charge(128)
    }

    func leave(_ object: ScriptObject, charged: Int) {
        if let previous = object.previous {
            previous.following = object.following
        } else {
            first = object.following
        }
        object.following?.previous = object.previous
        count -= 1
        meter.discharge(charged)
    }

    func release(_ table: inout PropertyTable, _ prototype: inout ScriptObject?) {
        if releaseDepth >= Self.releaseDepthMax {
            remains.append(.properties(table.removeAll(), prototype))
            prototype = nil
            return
        }
        releaseDepth += 1
        Self.empty(&table, &prototype)
        endRelease()
    }

    func release(_ values: inout ContiguousArray<Value>) {
        if values.isEmpty { return }
        if releaseDepth >= Self.releaseDepthMax {
            remains.append(.values(values))
            values = []
            return
        }
        releaseDepth += 1
        Self.empty(&values)
        endRelease()
    }

    func release(_ objects: inout [AnyObject]) {
        if objects.isEmpty { return }
        if releaseDepth >= Self.releaseDepthMax {
            remains.append(.objects(objects))
            objects = []
            return
        }
        releaseDepth += 1
        Self.empty(&objects)
        endRelease()
    }

    // What these let go is gone when they return. Written where they are called, it may go as late as behind `endRelease` in a build
    // that is optimized: the depth would count nothing, and a long chain would end the process.

    @inline(never)
    private static func empty(_ table: inout PropertyTable, _ prototype: inout ScriptObject?) {
        table = PropertyTable()
        prototype = nil
    }

    @inline(never)
    private static func empty(_ values: inout ContiguousArray<Value>) { values = [] }

    @inline(never)
    private static func empty(_ objects: inout [AnyObject]) { objects = [] }

    private func endRelease() {
        if releaseDepth == 1 {
            while !remains.isEmpty { _ = remains.removeLast() }
        }
        releaseDepth -= 1
    }

    /// Takes all objects apart.
    func end() { end(downTo: nil) }

    /// The object that came last, which is where a later `end` can stop.
    var latest: ScriptObject? { first }

    /// Takes apart what came after an object.
    func end(downTo kept: ScriptObject?) {
        releaseDepth += 1
        while let object = first, object !== kept {
            first = object.following
            object.following?.previous = nil
            count -= 1
            meter.discharge(object.chargedBytes)
            object.clear()
        }
        while !remains.isEmpty { _ = remains.removeLast() }
        releaseDepth -= 1
    }

    /// All that live, the latest first.
    var all: [ScriptObject] {
        var objects: [ScriptObject] = []
        var next = first
        while let object = next {
            objects.append(object)
            next = object.following
        }
        return objects
    }
}
