"""The tools of BFCL's multi-turn dialogues as MCP servers, one address a run, in a process that is never killed itself.

    python3 tools.py <folder of BFCL>

It prints its port and, as JSON, the dialogues with their gold calls, and then answers on loopback:

    POST /start           {"run", "dialogue", "kill": {"call", "when"} | null}: new tools in the state that the dialogue begins with
    POST /mcp/<run>/<pid> MCP over streamable HTTP; at the call that `kill` names, SIGKILL to <pid> before ("sent") or after ("done")
                          it is performed, and no answer
    GET  /performed/<run> how many calls were performed: what a careful agent finds out by looking
    GET  /report/<run>    what came of it, beside the gold calls
"""

import ast
import copy
import importlib
import inspect
import json
import os
import pickle
import signal
import sys
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock

ROOT = Path(sys.argv[1])
DATA = ROOT / "bfcl_eval" / "data"
sys.path.insert(0, str(ROOT))

CONSTANTS = importlib.import_module("bfcl_eval.constants.executable_backend_config")
TYPES = {"dict": "object", "float": "number", "tuple": "array"}


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def schema(of):
    """BFCL's description of parameters as JSON Schema."""
    if isinstance(of, list):
        return [schema(each) for each in of]
    if not isinstance(of, dict):
        return of
    kept = {key: schema(value) for key, value in of.items()}
    if isinstance(of.get("type"), str):
        kept["type"] = TYPES.get(of["type"], of["type"])
        if kept["type"] == "any":
            del kept["type"]
    return kept


def instances(dialogue):
    """The tools' objects in the state that a dialogue begins with."""
    made = {}
    for name in dialogue["involved_classes"]:
        made[name] = getattr(importlib.import_module(CONSTANTS.CLASS_FILE_PATH_MAPPING[name]), name)()
        if name not in CONSTANTS.STATELESS_CLASSES:
            made[name]._load_scenario(copy.deepcopy(dialogue["initial_config"].get(name, {})), long_context=False)
    return made


def holder(objects, tool):
    """The object that has a tool."""
    return next((each for each in objects.values() if callable(getattr(each, tool, None))), None)


def perform(objects, tool, args):
    held = holder(objects, tool)
    if held is None or tool.startswith("_"):
        return f"Error: no tool {tool}"
    try:
        # Some tools keep a list that they are given, and change it later: not the caller's own.
        result = getattr(held, tool)(**copy.deepcopy(args))
        return result if isinstance(result, str) else json.dumps(result, default=str)
    except Exception as error:  # as BFCL's own executor does
        return f"Error during execution: {error}"


def state(objects):
    """What BFCL compares at a dialogue's end: all public attributes."""
    return {n: {k: v for k, v in vars(o).items() if not k.startswith("_")} for n, o in objects.items()}


def gold_call(objects, text):
    """A gold call, as Python text, as a tool with named arguments."""
    call = ast.parse(text, mode="eval").body
    values = [ast.literal_eval(each) for each in call.args]
    named = {each.arg: ast.literal_eval(each.value) for each in call.keywords}
    bound = inspect.signature(getattr(holder(objects, call.func.id), call.func.id)).bind(*values, **named)
    return {"tool": call.func.id, "args": json.loads(json.dumps(bound.arguments))}


WRITING = set()


def played(dialogue, turns):
    """The objects after the gold calls. Notes the tools that change anything."""
    objects = instances(dialogue)
    for call in (call for turn in turns for call in turn["calls"]):
        held = holder(objects, call["tool"])
        before = pickle.dumps(vars(held))
        perform(objects, call["tool"], call["args"])
        if pickle.dumps(vars(held)) != before:
            WRITING.add(call["tool"])
    return objects


def load():
    """The dialogues whose gold calls can be played, and come to the same end each time."""
    answers = {each["id"]: each["ground_truth"] for each in lines(DATA / "possible_answer/BFCL_v4_multi_turn_base.json")}
    kept, left_out = {}, []
    for dialogue in lines(DATA / "BFCL_v4_multi_turn_base.json"):
        try:
            objects = instances(dialogue)
            turns = [
                {"user": said[0]["content"], "calls": [gold_call(objects, text) for text in calls]}
                for said, calls in zip(dialogue["question"], answers[dialogue["id"]], strict=True)
            ]
            ends = [state(played(dialogue, turns)) for _ in range(2)]
            if ends[0] != ends[1]:
                raise ValueError("its gold calls end differently each time")
            kept[dialogue["id"]] = {**dialogue, "turns": turns, "end": ends[0]}
        except Exception as error:
            left_out.append(f"{dialogue['id']}: {error}")
    return kept, left_out


DIALOGUES, LEFT_OUT = load()
DOCS = {
    name: [
        {
            "name": each["name"],
            "description": each["description"],
            "inputSchema": schema(each["parameters"]),
            "annotations": {"readOnlyHint": each["name"] not in WRITING},
        }
        for each in lines(DATA / "multi_turn_func_doc" / file)
    ]
    for name, file in CONSTANTS.MULTI_TURN_FUNC_DOC_FILE_MAPPING.items()
}


class Run:
    """One dialogue through one agent."""

    def __init__(self, dialogue, kill):
        self.dialogue = DIALOGUES[dialogue]
        self.objects = instances(self.dialogue)
        self.kill = kill
        self.performed = []
        self.lock = Lock()

    def tools(self):
        return [tool for name in self.dialogue["involved_classes"] for tool in DOCS[name]]

    def call(self, pid, tool, args):
        """The result of a call; None once the agent is killed."""
        with self.lock:
            when = None
            if self.kill is not None and self.kill["call"] == len(self.performed):
                when = self.kill["when"]
                if when in ("sent", "done"):
                    self.kill = None
            if when == "sent":
                os.kill(pid, signal.SIGKILL)
                return None
            result = perform(self.objects, tool, args)
            self.performed.append({"tool": tool, "args": args})
            if when == "done":
                os.kill(pid, signal.SIGKILL)
                return None
            return result

    def report(self):
        def whole(value):
            """A number without a fraction as an integer: JavaScript knows no 1.0."""
            return int(value) if isinstance(value, float) and value.is_integer() else value

        def counted(calls):
            calls = json.loads(json.dumps(list(calls)), parse_float=lambda text: whole(float(text)))
            return Counter(json.dumps([each["tool"], each["args"]], sort_keys=True) for each in calls)

        gold = counted(call for turn in self.dialogue["turns"] for call in turn["calls"])
        done = counted(self.performed)
        twice = done - gold
        return {
            "twice": sum(twice.values()),
            "twice_writing": sum(count for call, count in twice.items() if json.loads(call)[0] in WRITING),
            "left_out": sum((gold - done).values()),
            "wrong": state(self.objects) != self.dialogue["end"],
        }


RUNS = {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle(self):
        try:
            super().handle()
        except ConnectionError:  # an agent that was killed
            pass

    def log_message(self, *_):
        pass

    def reply(self, status, body=None):
        content = b"" if body is None else json.dumps(body, default=str).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        _, kind, run, *_ = (*self.path.split("/"), "")
        if kind == "performed":
            self.reply(200, len(RUNS[run].performed))
        elif kind == "report":
            self.reply(200, RUNS[run].report())
        else:
            self.reply(405)

    def do_DELETE(self):
        self.reply(405)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == "/start":
            RUNS[body["run"]] = Run(body["dialogue"], body["kill"])
            return self.reply(200, {})
        if "id" not in body:
            return self.reply(202)
        _, _, run, pid = self.path.split("/")
        result = self.answer(RUNS[run], int(pid), body["method"], body.get("params") or {})
        if result is None:
            self.close_connection = True
            return None
        return self.reply(200, {"jsonrpc": "2.0", "id": body["id"], **result})

    def answer(self, run, pid, method, params):
        if method == "initialize":
            info = {"name": "bfcl", "version": "1"}
            return {"result": {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}}
        if method == "tools/list":
            return {"result": {"tools": run.tools()}}
        if method == "tools/call":
            text = run.call(pid, params["name"], params.get("arguments") or {})
            return None if text is None else {"result": {"content": [{"type": "text", "text": text}]}}
        if method == "ping":
            return {"result": {}}
        return {"error": {"code": -32601, "message": f"no method {method}"}}


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
known = [{"id": each["id"], "turns": each["turns"]} for each in DIALOGUES.values()]
print(json.dumps({"port": server.server_address[1], "dialogues": known, "left_out": LEFT_OUT}), flush=True)
server.serve_forever()
