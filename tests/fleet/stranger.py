"""A peer with Dask's library as it is, which tries what no peer of serbench does: a program of the tests."""

import asyncio
import json
import sys
from pathlib import Path


class Evil:
    """What makes a file, the marker, where it is unpickled."""

    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return (open, (self.marker, "w"))


def safety(folder):
    import distributed

    if folder == "none":
        return {}
    names = {
        f"tls_{role}_{what}": f"{folder}/{name}.pem"
        for role in ("client", "scheduler")
        for what, name in (("cert", "certificate"), ("key", "key"))
    }
    return distributed.Security(require_encryption=True, tls_ca_file=f"{folder}/ca.pem", **names)


async def attempts(address, folder, marker):
    """Send what a client of Dask's may send, each message over a connection of its own; what came back."""
    import distributed
    from distributed.protocol import Serialize, ToPickle

    evil = Evil(marker)
    messages = {
        "units": {"op": "submit", "units": ToPickle(evil)},
        "worker": {"op": "join", "worker": Serialize(evil)},
        "function": {"op": "run_function", "function": ToPickle(evil)},
        "plugin": {"op": "register_scheduler_plugin", "plugin": ToPickle(evil)},
        "client": {"op": "register-client", "client": "stranger", "versions": {}},
        "graph": {"op": "update-graph", "expr_ser": Serialize(evil)},
        "file": {"op": "upload_file", "filename": marker, "data": b""},
        "unit": {"op": "submit", "units": [b'{"key":"0/0","code":"print()"}']},
        "text": "text",
    }
    found = {}
    for name, message in messages.items():
        try:
            comm = await distributed.comm.connect(
                address, timeout=5, **safety(folder).get_connection_args("client")
            )
            await comm.write(message)
            found[name] = repr(await asyncio.wait_for(comm.read(), 5))
            comm.abort()
        except Exception as error:
            found[name] = f"refused: {type(error).__name__}"
    return found


def submits(address, folder, marker):
    """Use Dask's own client."""
    import distributed

    try:
        with distributed.Client(address, security=safety(folder), timeout=3) as client:
            return repr(client.submit(open, marker, "w").result(timeout=3))
    except Exception as error:
        return f"refused: {type(error).__name__}"


async def connects(address, folder, seconds):
    """Only connect, with the certificate in a folder, or without one; what came back in some seconds."""
    import distributed

    if folder == "none":
        import ssl

        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        arguments = {"ssl_context": context}
    else:
        arguments = safety(folder).get_connection_args("client")
    try:
        comm = await distributed.comm.connect(address, timeout=seconds, **arguments)
        await comm.write({"op": "who"})
        return repr(await asyncio.wait_for(comm.read(), seconds))
    except Exception as error:
        return f"refused: {type(error).__name__}"


async def schedules(folder, marker):
    """Pretend to be a scheduler, and answer the first peer that joins with a pickle for a unit."""
    import distributed
    from distributed.protocol import ToPickle

    joined, left = asyncio.Event(), asyncio.Event()

    async def handle(comm):
        try:
            await comm.read()
            joined.set()
            await comm.write({"status": "OK"})
            await comm.write([{"op": "unit", "key": "0" * 16 + "/0", "unit": ToPickle(Evil(marker))}])
            await comm.read()
        except OSError:
            pass
        if joined.is_set():
            left.set()

    listener = await distributed.comm.listen(
        "tls://127.0.0.1:0", handle, **safety(folder).get_listen_args("scheduler")
    )
    print(listener.contact_address, flush=True)
    await left.wait()
    return "a peer joined"


def main():
    sys.path.append(sys.argv.pop(1))
    what, *words = sys.argv[1:]
    if what == "attempts":
        found = asyncio.run(attempts(*words))
    elif what == "connects":
        address, *refused, own = words  # the others are tried again and again
        found = [asyncio.run(connects(address, folder, 3)) for folder in refused]
        found.append(asyncio.run(connects(address, own, 600)))
    elif what == "schedules":
        found = asyncio.run(schedules(*words))
    else:
        found = submits(*words)
    print(json.dumps([found, Path(words[-1]).exists()]), flush=True)


if __name__ == "__main__":
    main()
