"""How a primary is lost, and how long the table waits then."""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle, islice, pairwise

from tests.reliability.checks import SHORT
from tests.reliability.patroni import SCOPE, Cluster, Node, wait_until
from tests.reliability.writers import Deed, Writers


def killed(cluster: Cluster, node: Node) -> None:
    """Its machine is lost: server and Patroni at once. It comes back as a standby."""
    node.kill_patroni()
    node.kill_server()
    taken_over(cluster, node)
    node.start()


def switched(cluster: Cluster, node: Node) -> None:
    """As before an upgrade: the two change places in good order."""
    other = cluster.other(node)
    cluster.patronictl("switchover", SCOPE, "--leader", node.name, "--candidate", other.name, "--force")
    taken_over(cluster, node)


def abandoned(cluster: Cluster, node: Node) -> None:
    """Its Patroni alone is lost. Its server runs on and takes whoever comes, and must answer nobody."""
    node.kill_patroni()
    taken_over(cluster, node)
    node.start()


KINDS: tuple[Callable[[Cluster, Node], None], ...] = (killed, switched, abandoned)


def taken_over(cluster: Cluster, node: Node) -> None:
    """Until the other takes writes in its place."""
    other = cluster.other(node)
    wait_until(other.takes_writes, f"{other.name} takes writes in the place of {node.name}")


@dataclass(frozen=True, slots=True)
class Blow:
    """`ended`: when the cluster was whole again, and served. By the clock that only goes on, in seconds."""

    kind: str
    began: float
    ended: float


def fail_over(cluster: Cluster, writers: Writers, times: int) -> list[Blow]:
    """So many times, each kind in turn, whenever the one before is over. Fewer where somebody complains."""
    blows: list[Blow] = []
    for strike in islice(cycle(KINDS), times):
        cluster.wait_until_whole()
        writers.wait(SHORT)
        if writers.complaints:
            break
        node, began = cluster.primary(), time.monotonic()
        strike(cluster, node)
        cluster.wait_until_whole()
        writers.wait(SHORT)
        blows.append(Blow(strike.__name__, began, time.monotonic()))
        print(f"{len(blows)}: {strike.__name__} ({node.name}), {waited(blows[-1], writers.deeds):.1f} s", flush=True)
    return blows


def waited(blow: Blow, deeds: list[Deed]) -> float:
    """The longest time between two answered rulings, of all tables together, in seconds."""
    times = sorted(deed.at for deed in list(deeds) if deed.answer is not None)
    gaps = [later - earlier for earlier, later in pairwise(times) if later > blow.began and earlier < blow.ended]
    return max(gaps)


def told(blows: list[Blow], writers: Writers) -> str:
    """A line for each kind, and one for all."""
    found: dict[str, list[float]] = defaultdict(list)
    for blow in blows:
        for kind in (blow.kind, "all"):
            found[kind].append(waited(blow, writers.deeds))
    lines = [f"{'seconds that the table waited':<32}{'times':>7}{'least':>8}{'median':>8}{'longest':>8}"]
    for kind, seconds in sorted(found.items(), key=lambda one: one[0] == "all"):
        figures = (min(seconds), statistics.median(seconds), max(seconds))
        lines.append(f"{kind:<32}{len(seconds):>7}" + "".join(f"{figure:>8.1f}" for figure in figures))
    tried = sum(deed.tries > 1 for deed in writers.deeds)
    return "\n".join([*lines, f"{writers.answered} rulings answered, {tried} of them asked for more than once"])
