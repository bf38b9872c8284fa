import JSON
import Network

extension ErrorAnswer: Error {
    /// Why a test does not get what it asks for, and what to do.
    static func test(_ message: String, status: Int = 400) -> ErrorAnswer {
        let type =
            switch status {
            case 401, 403: "UnauthorizedException"
            case 404: "NotFoundException"
            case 405: "MethodNotAllowedException"
            case 409: "ConflictException"
            case 400: "BadRequestException"
            default: "ServiceUnavailableException"
            }
        return ErrorAnswer(status: HTTPStatus(code: status), type: type, message: message)
    }
}
