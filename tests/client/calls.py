"""Three routes called through the generated client: ADDRESS. Run by tests/client/run."""

import sys

from rulestone_client import Client
from rulestone_client.api.rules import get_rules
from rulestone_client.api.search import search
from rulestone_client.api.zones import get_zones
from rulestone_client.models import AnswerLang, BriefSearch, Problem, Rules, Search, SearchView, Zones


def main(address: str) -> None:
    """Each answer is typed: rules, hits and zones, and a problem where nothing is found."""
    with Client(base_url=address) as client:
        rules = get_rules.sync(client=client, ref="dm:400.3b", lang=AnswerLang.JA)
        assert isinstance(rules, Rules)
        assert (rules.rules[0].locator, rules.rules[0].lang.value) == ("400.3b", "ja")
        answer = search.sync(client=client, q="graveyard order", limit=3)
        assert isinstance(answer, Search)
        assert len(answer.hits) == 3 and answer.hits[0].score > 0
        brief = search.sync(client=client, q="graveyard order", limit=3, view=SearchView.BRIEF)
        assert isinstance(brief, BriefSearch) and brief.hits[0].ref
        zones = get_zones.sync(client=client, games="dm,mtg", lang=AnswerLang.ZH)
        assert isinstance(zones, Zones)
        assert {zone.game for zone in zones.zones} == {"dm", "mtg"}
        assert zones.zones[0].properties.visibility[0].status.value in ("accepted", "disputed")
        nothing = get_rules.sync(client=client, ref="999.9z")
        assert isinstance(nothing, Problem) and nothing.status == 404
    print("client: rules, search and zones answer through a generated client")


if __name__ == "__main__":
    main(sys.argv[1])
