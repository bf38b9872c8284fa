import Network
import Synchronization
import Testing

@testable import Server

@Suite("Room on the disk that services leave to the API")
struct SpaceReserveTests {
    @Test("the disk is looked at once a second, and a disk that nobody knows has room")
    func looks() {
        let free = Mutex<UInt64?>(100)
        let reserve = SpaceReserve(bytesMin: 100) { free.withLock { $0 } }
        #expect(!reserve.isShort(now: 0))
        free.withLock { $0 = 99 }
        #expect(!reserve.isShort(now: SpaceReserve.lookMilliseconds - 1))
        #expect(reserve.isShort(now: SpaceReserve.lookMilliseconds))
        free.withLock { $0 = 100 }
        #expect(!reserve.isShort(now: 2 * SpaceReserve.lookMilliseconds))
        free.withLock { $0 = nil }
        #expect(!reserve.isShort(now: 3 * SpaceReserve.lookMilliseconds))
    }

    @Test(
        "calls that add to the database are told from those that read and delete",
        arguments: [
            ("DynamoDB_20120810.PutItem", Route.items, true), ("DynamoDB_20120810.GetItem", .items, false),
            ("DynamoDB_20120810.DeleteItem", .items, false), ("AmazonSQS.SendMessage", .queues, true),
            ("AmazonSQS.ReceiveMessage", .queues, false), ("AmazonSQS.DeleteMessage", .queues, false),
            ("AWSStepFunctions.StartExecution", .workflows, true), ("AmazonSSM.PutParameter", .parameters, true),
            ("AmazonSSM.GetParameter", .parameters, false), ("AWSEvents.PutEvents", .events, true),
            (nil, .outbox, true), (nil, .gateway, false), ("DynamoDB_20120810.PutItem", .language, false),
        ] as [(String?, Route, Bool)])
    func calls(target: String?, route: Route, adds: Bool) throws {
        let head = try HTTPRequestHead.read(
            "POST /", ["Host: localhost"] + (target.map { ["X-Amz-Target: \($0)"] } ?? []))
        #expect(SpaceReserve.adds(head, to: route) == adds)
    }
}
