"""Start the service, ask it for the best runs of the examples, draw them, stop it.

``python -m examples.demo [OUT]`` writes the pictures to the folder OUT (``out``).
"""

from __future__ import annotations

import sys
from pathlib import Path

from bradshaw.v1 import route_service_pb2
from google.protobuf.json_format import Parse

from server.cli_tables import solution_lines
from server.client import RemoteClient
from server.convert.answers import picture
from server.process import service_process

FOLDER = Path(__file__).resolve().parent


def main(out: Path) -> int:
    """Show every example; return 0 if all answers are proven."""
    out.mkdir(parents=True, exist_ok=True)
    proven = True
    with service_process() as service:
        client = RemoteClient(service.address)
        for path in sorted(FOLDER.glob("*.json")):
            text = path.read_text("utf-8")
            request = Parse(text, route_service_pb2.OptimizeRoutesRequest())
            solution = client.optimize(request, lambda _: None).solution
            print("\n".join(solution_lines(request.position, solution)))
            drawn = out / f"{path.stem}.svg"
            drawn.write_text(picture(request.position, solution.run), "utf-8")
            print(f"Drawn: {drawn}\n")
            proven &= solution.status == route_service_pb2.SOLUTION_STATUS_OPTIMAL
    return 0 if proven else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "out")))
