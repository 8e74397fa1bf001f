"""Runs an instance inside its confinement.

Reads one line from standard input, a JSON object with limits, port, socket, command and environment. Limits itself,
forwards the port of GF_URL to the socket of Figbase, and runs the command until it ends. Ends if there is no line:
then the supervisor has ended before it recorded this process.
"""

import asyncio
import ctypes
import json
import os
import random
import resource
import sys

CHILD_SUBREAPER = 36
SECCOMP_ALLOW = 0x7FFF0000
SECCOMP_NO_SUCH_CALL = 0x00050000 | 38
# Memory that belongs to no process, so that nobody could count it.
UNCOUNTED = [b"memfd_create", b"memfd_secret", b"shmget"]
CHUNK_BYTES = 65536


def limit(spec):
    for name, value in spec["limits"].items():
        kind = getattr(resource, "RLIMIT_" + name)
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))
    os.nice(spec["nice"])
    cpus = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, random.sample(cpus, min(spec["vcpu"], len(cpus))))
    # Processes whose parent has ended become children of this one, so that they are found.
    ctypes.CDLL(None).prctl(CHILD_SUBREAPER, 1, 0, 0, 0)
    if spec["confined"]:
        forbid(UNCOUNTED)


def forbid(calls):
    seccomp = ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(SECCOMP_ALLOW)))
    for call in calls:
        number = seccomp.seccomp_syscall_resolve_name(call)
        seccomp.seccomp_rule_add(rules, ctypes.c_uint32(SECCOMP_NO_SUCH_CALL), number, 0)
    if seccomp.seccomp_load(rules) != 0:
        raise OSError("the system call filter could not be loaded")


async def pump(reader, writer):
    try:
        while chunk := await reader.read(CHUNK_BYTES):
            writer.write(chunk)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.close()


async def forward(reader, writer, path):
    try:
        to_figbase = await asyncio.open_unix_connection(path)
    except OSError:
        writer.close()
        return
    await asyncio.gather(pump(reader, to_figbase[1]), pump(to_figbase[0], writer))
    for each in (writer, to_figbase[1]):
        each.close()


async def run(spec):
    server = None
    if spec["confined"]:
        server = await asyncio.start_server(
            lambda reader, writer: forward(reader, writer, spec["socket"]), "127.0.0.1", spec["port"]
        )
    child = await asyncio.create_subprocess_exec(
        *spec["command"], stdin=asyncio.subprocess.DEVNULL, env=spec["environment"], cwd=spec["cwd"]
    )
    code = await child.wait()
    if server:
        server.close()
    return code


line = sys.stdin.readline()
if not line:
    sys.exit("the supervisor has ended")
given = json.loads(line)
limit(given)
code = asyncio.run(run(given))
sys.exit(code if code >= 0 else 128 - code)
