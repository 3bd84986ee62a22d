"""The build program of Toy (docs/build-contract.md)."""

import sys

from serbench.build.contract import OUT, Answer, Content, Plan, Recipe, Request
from serbench.build.records import BuildFailed


def answer(request: Request) -> Answer:
    """The plan for `request`. Raises BuildFailed for all but a worker."""
    compiler_name = request.compiler or "toy1"
    if request.want == "describe":
        return Answer(compilers={"toy": f"{compiler_name} 1.0"})
    if request.want != "worker":
        raise BuildFailed(f"Toy has no {request.want}")
    interpreter = request.harness / request.options["interpreter"]
    compiler = request.harness / "compile.py"
    plan = Plan()
    folder, digest = plan.add(
        Recipe(
            steps=[[sys.executable, str(compiler), str(request.source), f"{OUT}/program"]],
            inputs=[Content(of="file", path=compiler), Content(of="file", path=request.source)],
            products=["program"],
        )
    )
    return Answer(
        recipes=plan.recipes,
        command=[sys.executable, str(interpreter), str(folder / "program"), request.test],
        interpreter=[sys.executable],
        module=str(folder / "program"),
        compiler=f"{compiler_name} 1.0",
        digest=[digest, Content(of="file", path=interpreter)],
    )
