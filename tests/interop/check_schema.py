"""The schema of scenes is a valid JSON Schema, and every shipped scene in JSON is as it says:
`check_schema.py SIM SCENE...`.

Each scene is converted by the program, and broken once, which the schema must notice.
"""

import json
import subprocess
import sys

from jsonschema import Draft202012Validator


def output(*words):
    """What a command of the program prints."""
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


sim, *scenes = sys.argv[1:]
schema = json.loads(output(sim, "schema", "--json"))
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
for path in scenes:
    scene = json.loads(output(sim, "convert", path))
    scene["$schema"] = "scene.schema.json"
    for error in validator.iter_errors(scene):
        raise SystemExit(f"failed: {path}: {error.json_path}: {error.message}")
    del scene["frames"]["rate"]
    kind = "fluids" if scene.get("fluids") else "elastic"
    scene[kind][0]["viscosty"] = 1
    found = sorted(error.json_path for error in validator.iter_errors(scene))
    if found != sorted([f"$.{kind}[0]", "$.frames"]):
        raise SystemExit(f"failed: {path}: two faults were found at {found}")
print(f"{len(scenes)} scenes are as the schema says")
