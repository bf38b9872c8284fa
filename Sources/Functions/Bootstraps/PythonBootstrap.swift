/// Our runtime for Python.
enum PythonBootstrap {
    /// The configuration of boto3 beside variables: links and forms for files are signed as everywhere else. In `us-east-1` it signs them by
    /// Version 2 else, which nothing takes here.
    static let settingsName = "python-sdk.ini"
    static let settings = """
        [default]
        s3 =
            signature_version = s3v4

        """

    static let text = #"""
        # A runtime for functions in Python: loads a handler and answers events by Lambda's Runtime API. Made by Homeport.
        import http.client, importlib.util, json, logging, os, sys, time, traceback

        BASE = "/2018-06-01/runtime"
        API = os.environ["AWS_LAMBDA_RUNTIME_API"]
        # The SDK is a part of Lambda's image: what is installed nowhere else may be here.
        SDK = os.path.join(os.path.abspath(os.environ.get("HOMEPORT_FUNCTIONS_FOLDER", ".")), "sdk", "python")
        NBSP = "\u00a0"
        connection = None


        def call(method, path, body=None, headers=None):
            """One connection for all. What has come over one that has ended is asked again once, events are not."""
            global connection
            if connection is None:
                connection = http.client.HTTPConnection(API, timeout=None)
            try:
                connection.request(method, BASE + path, body, headers or {})
                response = connection.getresponse()
                return response, response.read()
            except (http.client.HTTPException, OSError):
                # The server has gone.
                sys.exit(1)


        def post(path, body, headers=None):
            call("POST", path, body, {"Content-Type": "application/json", **(headers or {})})


        def described(kind, message, frames, request_id=""):
            return {"errorMessage": message, "errorType": kind, "requestId": request_id, "stackTrace": frames}


        def said(error):
            lines = "".join(traceback.format_exception(type(error), error, error.__traceback__)).splitlines()
            head = "[ERROR] %s: %s" % (type(error).__name__, error)
            indented = [NBSP * (len(line) - len(line.lstrip(" "))) + line.lstrip(" ") for line in lines]
            print("\r".join([head] + indented[:-1]), flush=True)


        def frames_of(error, own=__file__):
            frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != own]
            return traceback.format_list(frames)


        def fail_start(kind, message, frames=()):
            print("[ERROR] %s: %s" % (kind, message), flush=True)
            body = json.dumps(described(kind, message, list(frames)))
            post("/init/error", body, {"Lambda-Runtime-Function-Error-Type": kind})
            sys.exit(1)


        def load(path, name):
            folder = os.path.dirname(os.path.abspath(path))
            sys.path.insert(0, folder)
            sys.path.append(SDK)
            module = os.path.splitext(os.path.basename(path))[0]
            if module in sys.builtin_module_names:
                fail_start("Runtime.BuiltInModuleConflict", "Cannot use built-in module %s as a handler module" % module)
            try:
                spec = importlib.util.spec_from_file_location(module, path)
                loaded = importlib.util.module_from_spec(spec)
                sys.modules[module] = loaded
                spec.loader.exec_module(loaded)
            except SyntaxError as error:
                frame = '  File "%s" Line %s\n    %s\n' % (error.filename, error.lineno, (error.text or "").strip())
                fail_start("Runtime.UserCodeSyntaxError", "Syntax error in module '%s': %s" % (module, error), [frame])
            except ImportError as error:
                hint = missing(error)
                fail_start("Runtime.ImportModuleError", "Unable to import module '%s': %s%s" % (module, error, hint), frames_of(error))
            except Exception as error:
                said(error)
                fail_start(type(error).__name__, str(error), frames_of(error))
            found = loaded
            for part in name.split("."):
                found = getattr(found, part, None)
            if found is None:
                fail_start("Runtime.HandlerNotFound", "Handler '%s' missing on module '%s'" % (name, module))
            return found


        def missing(error):
            name = (getattr(error, "name", None) or "").split(".")[0]
            if name in ("boto3", "botocore"):
                return " (install it with: %s -m pip install --target %s boto3)" % (sys.executable, SDK)
            requirements = os.path.join(os.environ.get("LAMBDA_TASK_ROOT", "."), "requirements.txt")
            if name and os.path.exists(requirements):
                return " (install it with: %s -m pip install -r %s)" % (sys.executable, requirements)
            return ""


        class Named(dict):
            __getattr__ = dict.get


        class Context:
            def __init__(self, headers):
                env = os.environ
                self.aws_request_id = headers["Lambda-Runtime-Aws-Request-Id"]
                self.invoked_function_arn = headers.get("Lambda-Runtime-Invoked-Function-Arn", "")
                self.function_name = env.get("AWS_LAMBDA_FUNCTION_NAME")
                self.function_version = env.get("AWS_LAMBDA_FUNCTION_VERSION")
                self.memory_limit_in_mb = env.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE")
                self.log_group_name = env.get("AWS_LAMBDA_LOG_GROUP_NAME")
                self.log_stream_name = env.get("AWS_LAMBDA_LOG_STREAM_NAME")
                self.tenant_id = None
                self._deadline = int(headers.get("Lambda-Runtime-Deadline-Ms", 0))
                context = json.loads(headers.get("Lambda-Runtime-Client-Context") or "null")
                self.client_context = Named(context) if isinstance(context, dict) else None
                identity = json.loads(headers.get("Lambda-Runtime-Cognito-Identity") or "{}")
                self.identity = Named(
                    cognito_identity_id=identity.get("cognitoIdentityId"),
                    cognito_identity_pool_id=identity.get("cognitoIdentityPoolId"))

            def get_remaining_time_in_millis(self):
                return max(self._deadline - int(time.time() * 1000), 0)

            def log(self, message):
                sys.stdout.write(str(message))


        class Lines(logging.Handler):
            request_id = ""

            def emit(self, record):
                stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
                text = self.format(record).replace("\n", "\r")
                print("[%s]\t%s.%03dZ\t%s\t%s" % (record.levelname, stamp, record.msecs, Lines.request_id, text), flush=True)


        def encoded(value):
            if hasattr(value, "isoformat"):
                return value.isoformat()
            if isinstance(value, (bytes, bytearray)):
                return value.decode("utf-8")
            if type(value).__name__ == "Decimal":
                return int(value) if value == int(value) else float(value)
            raise TypeError("Object of type %s is not JSON serializable" % type(value).__name__)


        def main():
            path, name = sys.argv[1], sys.argv[2]
            sys.argv = [path]
            logging.getLogger().addHandler(Lines())
            handler = load(path, name)
            while True:
                response, body = call("GET", "/invocation/next")
                if response.status != 200:
                    sys.exit(1)
                headers = response.headers
                request_id = headers["Lambda-Runtime-Aws-Request-Id"]
                Lines.request_id = request_id
                os.environ["_X_AMZN_TRACE_ID"] = headers.get("Lambda-Runtime-Trace-Id", "")
                kind = "Runtime.UnmarshalError"
                try:
                    event = json.loads(body)
                    kind = None
                    result = handler(event, Context(headers))
                    kind = "Runtime.MarshalError"
                    answer = json.dumps(result, ensure_ascii=False, default=encoded).encode("utf-8")
                except Exception as error:
                    said(error)
                    message = str(error)
                    if kind == "Runtime.MarshalError":
                        message = "Unable to marshal response: " + message
                    elif kind:
                        message = "Unable to unmarshal input: " + message
                    failure = described(kind or type(error).__name__, message, frames_of(error), request_id)
                    post("/invocation/%s/error" % request_id, json.dumps(failure))
                else:
                    post("/invocation/%s/response" % request_id, answer)


        main()

        """#
}
