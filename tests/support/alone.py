"""A network of its own for a command: every address is that of its loopback device, and whatever is sent can be seen there."""

import subprocess
import sys

_ALONE = ["unshare", "--map-root-user", "--net", "sh", "-c"]
_TO_ITSELF = "ip link set lo up && ip route add local default dev lo && ip -6 route add local default dev lo"
_WATCH = """
import socket, subprocess, sys
seen = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
seen.setblocking(False)
ended = subprocess.run(sys.argv[2:])
try:
    while True:
        packet = seen.recv(2000)
        own = packet[0] >> 4 == 4 and packet[9] == socket.IPPROTO_TCP and packet[12] == packet[16] == 127
        if not (own and sys.argv[1] == "serves"):
            sys.exit(f"sent: {packet!r}")
except BlockingIOError:
    sys.exit(ended.returncode)
"""


def in_a_network_of_its_own() -> bool:
    """Whether a network namespace can be made here."""
    try:
        return subprocess.run([*_ALONE, _TO_ITSELF], capture_output=True).returncode == 0
    except OSError:
        return False


def watched(command: list[str], *, serves: bool = False) -> list[str]:
    """The command in such a network; it fails with `sent: …` if it has sent anything, unless to itself by TCP where it `serves`."""
    return [*_ALONE, f'{_TO_ITSELF} && exec "$@"', "sh", sys.executable, "-c", _WATCH, "serves" if serves else "", *command]
