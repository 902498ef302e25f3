"""What stands at an address."""

from typing import TYPE_CHECKING

from rulestone.library.opened import Opened

if TYPE_CHECKING:
    from corpus import contract
    from rulestone.answers.linked.addresses import Thing


class Addresses(Opened):
    """Following addresses."""

    def kind_at(self, path: str) -> "Thing":
        """What stands at `…/id/{path}`: a rule, an edition or a concept. Raises NotFoundError."""
        from rulestone.answers.linked.addresses import kind_at

        bundle = self._bundle()
        return kind_at(bundle.knowledge, path)

    def resource(
        self, path: str, *, lang: str | None = None
    ) -> "contract.Rule | contract.EditionSummary | contract.Concept | contract.Ruling":
        """The rule, edition or concept at `…/id/{path}`. Raises NotFoundError."""
        from rulestone.answers.linked.addresses import resource

        answer, _ = self._languages(lang)
        bundle = self._bundle()
        return resource(bundle.knowledge, path, answer)

    def turtle(self, path: str) -> bytes:
        """All that is stated of what stands at `…/id/{path}`, in Turtle. Raises NotFoundError."""
        from rulestone.answers.linked.addresses import turtle_at

        bundle = self._bundle()
        return turtle_at(bundle.knowledge, path)

    def current_path(self, path: str) -> str:
        """A path with the current edition in the place of `latest`. Raises NotFoundError where that has no such rule."""
        from rulestone.answers.linked.addresses import current_path

        bundle = self._bundle()
        return current_path(bundle.knowledge, path)
