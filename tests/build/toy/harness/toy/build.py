"""The build program of Toy: plain JSON, and nothing of serbench's own (docs/build-contract.md)."""

import json
import sys

OUT, FOLDER = "\x01out\x01", "\x01folder 0\x01"

for line in sys.stdin:
    request = json.loads(line)
    compiler_name = request.get("compiler", "toy1")
    if request["want"] == "describe":
        answer = {"compilers": {"toy": f"{compiler_name} 1.0"}}
    elif request["want"] == "worker":
        harness, test = request["harness"], request.get("test", "write")
        interpreter = f"{harness}/{request['options']['interpreter']}"
        compiler = f"{harness}/compile.py"
        answer = {
            "recipes": [
                {
                    "steps": [[sys.executable, compiler, request["source"], f"{OUT}/program"]],
                    "inputs": [{"of": "file", "path": compiler}, {"of": "file", "path": request["source"]}],
                    "products": ["program"],
                }
            ],
            "command": [sys.executable, interpreter, f"{FOLDER}/program", test],
            "interpreter": [sys.executable],
            "module": f"{FOLDER}/program",
            "compiler": f"{compiler_name} 1.0",
            "digest": ["\x01digest 0\x01", {"of": "file", "path": interpreter}],
        }
    else:
        answer = {"error": f"Toy has no {request['want']}"}
    print(json.dumps(answer), flush=True)
