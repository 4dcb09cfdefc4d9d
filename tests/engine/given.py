"""A desk put together from functions, for tests that need one in a few lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.engine.desk import Desk
from pbem.engine.offer import Offer


@dataclass(frozen=True, slots=True, kw_only=True)
class Given(Desk[Any]):
    case: str
    what: str
    seat: str
    section: str
    takes: tuple[type[Any], ...]
    subjects: Callable[[], Sequence[str]] = field(compare=False)
    options: Callable[[str], Sequence[Any]] = field(compare=False)
    check: Callable[[Any], None] = field(default=lambda order: None, compare=False)
    settle: Callable[[Any], Any] = field(default=lambda order: order, compare=False)
    act: Callable[[Any], Any] = field(default=lambda order: None, compare=False)
    told: Callable[[Any], Iterable[str]] = field(default=lambda order: (), compare=False)
    first: bool = False
    asks: bool = False
    until: tuple[type[Any], ...] = ()
    offers: tuple[type[Any], ...] = ()

    def carry_out(self, order: Any) -> Any:
        return self.act(order)

    def offer(self, order: Any) -> Offer:
        return Offer(told=tuple(self.told(order)))
