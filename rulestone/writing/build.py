"""Rebuilds a knowledge base from the digest and every added file."""

from corpus.store.home import Home
from corpus.store.home.manifest import Manifest, read_beside
from rulestone.writing.add import read_again
from rulestone.writing.draft.bundle import Progress, Writer, silent
from rulestone.writing.rulings.update import RulingsUpdate
from rulestone.writing.sources import Sources


def build(home: Home, progress: Progress = silent) -> Manifest:
    """Rebuilds everything.

    Raises EnvironmentFault if the home is locked or the disk fails; then the old bundle stays current.
    """
    with home.writing() as draft:
        cards, judgements = read_beside(draft.base)
        manifest = Manifest(cards=cards, judgements=judgements)
        rulings_update = RulingsUpdate(home, manifest)
        files = read_again(Sources(home), draft, manifest, rulings_update)
        keys = {reading.key for parsed in files for reading in parsed.readings}
        Writer(home, draft, manifest, progress, rulings_update).write(files, files, keys, trained=True)
        return manifest
