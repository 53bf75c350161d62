"""The late policy: what is taken off the points of a submission that came after its time. The points stay known."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from grader.exit_status import Unusable
from grader.reports.text import tidy
from grader.submissions.platforms import Submitted

_DAY = timedelta(days=1)
_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": _DAY}


@dataclass(frozen=True)
class Lateness:
    """How late one submission came: `submitted` has a zone, or is None where no time is known."""

    submitted: datetime | None
    days: int
    factor: float

    def final(self, score: float) -> float:
        """What is left of `score` points."""
        return score * self.factor


@dataclass(frozen=True)
class LatePolicy:
    """`penalty` (1 is everything) of the points is taken off per day begun after `due`, none up to `grace` after it.

    A day ends at the hour of `due`, by the clocks of its zone. `zone` is where times without one are taken to be from.
    """

    due: datetime
    grace: timedelta
    penalty: float
    zone: tzinfo

    def lateness(self, submitted: Submitted | None) -> Lateness:
        """How late a submission is, in days begun, and which part of its points it keeps."""
        if submitted is None or not _is_plausible(submitted):
            return Lateness(None, 0, 1.0)
        time = submitted.time if submitted.time.tzinfo else submitted.time.replace(tzinfo=self.zone)
        # Times of one zone differ by what its clocks show: a day ends at the same hour, even if they are changed in it.
        shown = time.astimezone(self.due.tzinfo) - self.due
        is_late = time.astimezone(UTC) - self.due.astimezone(UTC) > self.grace
        days = max(1, math.ceil(shown / _DAY)) if is_late else 0
        return Lateness(time, days, max(0.0, 1 - self.penalty * days))

    def notes(self, submitted: Mapping[str, Submitted | None]) -> list[str]:
        """The policy in a sentence, and what the reader has to know about these students' times."""
        due = self.due.isoformat(" ", "minutes")
        grace = f", {tidy(self.grace / _UNITS['m'])} minutes of grace" if self.grace else ""
        told = [f"due {due}{grace}; {tidy(100 * self.penalty)} % is taken off per day begun"]
        known = [each for each in submitted.values() if each is not None and _is_plausible(each)]
        if naive := sum(each.time.tzinfo is None for each in known):
            told.append(f"{_times(naive)} without a zone, taken to be from {self.zone} (--zone says otherwise)")
        for source in sorted({each.source for each in known}):
            told.append(f"{_times(sum(each.source == source for each in known))} from {source}")
        if unknown := len(submitted) - len(known):
            told.append(f"{unknown} without a known time, so not late")
        return [f"Late policy: {'; '.join(told)}."]


def _is_plausible(submitted: Submitted) -> bool:
    """At the ends of the calendar there is no room for another zone, and nothing was handed in there."""
    return MINYEAR < submitted.time.year < MAXYEAR


def late_policy(due: str, grace: str, penalty: str, zone: str | None) -> LatePolicy:
    """The policy that the command line describes; `Unusable` says what in it cannot be understood."""
    try:
        time = datetime.fromisoformat(due)
    except ValueError:
        raise Unusable(f"--due {due}: expected a time like 2026-12-01T23:59+01:00") from None
    known_zone = None if zone is None else _zone(zone)
    if time.tzinfo is None and known_zone is None:
        raise Unusable(f"--due {due}: where? Give its offset from UTC, as in {due}+01:00, or --zone Europe/Berlin")
    time = time.replace(tzinfo=known_zone) if time.tzinfo is None else time.astimezone(known_zone or time.tzinfo)
    if not (match := re.fullmatch(r"(\d+)([mhd])", grace)):
        raise Unusable(f"--grace {grace}: expected minutes, hours or days, as in 15m, 2h or 1d")
    allowed = int(match[1]) * _UNITS[match[2]]
    if not (match := re.fullmatch(r"(\d+(?:\.\d+)?)%(?:/day)?", penalty)) or float(match[1]) > 100:
        raise Unusable(f"--penalty {penalty}: expected a part of the points per day, as in 10%/day")
    return LatePolicy(time, allowed, float(match[1]) / 100, known_zone or time.tzinfo or UTC)


def _zone(name: str) -> tzinfo:
    if re.fullmatch(r"[+-]\d\d:\d\d", name):
        hours, minutes = int(name[:3]), int(name[0] + name[4:])
        return timezone(timedelta(hours=hours, minutes=minutes))
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Unusable(f"--zone {name}: no such zone; expected one like Europe/Berlin, or +01:00") from None


def _times(count: int) -> str:
    return f"{count} time{'' if count == 1 else 's'}"
