"""A peer with Dask's library as it is, and the certificates of others: a program of the tests."""

import asyncio
import contextlib
import json
import sys


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
        await comm.write({"op": "identity"})
        return repr(await asyncio.wait_for(comm.read(), seconds))
    except Exception as error:
        return f"refused: {type(error).__name__}"


async def schedules(folder):
    """Pretend to be a scheduler until a peer has spoken."""
    import distributed

    spoken = asyncio.Event()

    async def handle(comm):
        with contextlib.suppress(OSError):
            await comm.read()
            spoken.set()

    listener = await distributed.comm.listen(
        "tls://127.0.0.1:0", handle, **safety(folder).get_listen_args("scheduler")
    )
    print(listener.contact_address, flush=True)
    await spoken.wait()
    return "a peer has spoken"


def main():
    sys.path.append(sys.argv.pop(1))
    what, *words = sys.argv[1:]
    if what == "connects":
        address, *refused, own = words  # the others are tried again and again
        found = [asyncio.run(connects(address, folder, 3)) for folder in refused]
        found.append(asyncio.run(connects(address, own, 600)))
    else:
        found = asyncio.run(schedules(*words))
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
