"""Reads one case a line, its parts in base64 between commas, and writes each case's key."""

import base64
import json
import sys
import uuid

NAMESPACE = uuid.UUID("a70d5bff-e713-4322-b2ea-9d5c4926a861")

for line in sys.stdin.buffer:
    parts = [base64.b64decode(part).decode("utf-8") for part in line.rstrip(b"\n").split(b",")]
    print(uuid.uuid5(NAMESPACE, json.dumps(parts, separators=(",", ":"), ensure_ascii=False)))
