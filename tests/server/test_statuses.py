"""From errors to google.rpc.Status: one table, details that fit, paths that exist."""

from __future__ import annotations

import pytest
from bradshaw.v1 import route_service_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BradshawError, Fault, RouteError, StateError, UnknownGameError
from engine.play.errors import NotPlayableError
from engine.routing.run import Run, Verdict
from optimizer.errors import (
    OutOfTimeError,
    TooLargeError,
    UnknownAlgorithmError,
    WishesError,
    WordsError,
)
from server.confirm import UnconfirmedError
from server.convert.statuses import CODES, MOST_BYTES, field_path, status_of
from server.errors import (
    CancelledError,
    DeadlineError,
    GameRefusedError,
    NotFoundError,
    NothingToRunError,
    NotReadyError,
    QueueFullError,
    RequestError,
)
from tests.server.fields import names_field

MALFORMED = Fault("TILE_UNKNOWN", "board.tiles[2].tile", "there is no such tile")
FORBIDDEN = Fault("SIDE_CLOSED", "board.tiles[2].rotation", "closed", "FMT §D7.6", "F11")
ERRORS: tuple[tuple[BradshawError, int, str], ...] = (
    (RequestError([MALFORMED]), code_pb2.INVALID_ARGUMENT, "TILE_UNKNOWN"),
    (UnknownGameError("no game"), code_pb2.INVALID_ARGUMENT, "GAME_UNKNOWN"),
    (NotFoundError("no game"), code_pb2.NOT_FOUND, "GAME_UNKNOWN"),
    (StateError([MALFORMED]), code_pb2.INVALID_ARGUMENT, "TILE_UNKNOWN"),
    (StateError([FORBIDDEN]), code_pb2.FAILED_PRECONDITION, "SIDE_CLOSED"),
    (StateError([FORBIDDEN, MALFORMED]), code_pb2.INVALID_ARGUMENT, "STATE_INVALID"),
    (RouteError("bad", [MALFORMED]), code_pb2.INVALID_ARGUMENT, "TILE_UNKNOWN"),
    (WishesError([MALFORMED]), code_pb2.INVALID_ARGUMENT, "TILE_UNKNOWN"),
    (UnknownAlgorithmError("no"), code_pb2.INVALID_ARGUMENT, "ALGORITHM_UNKNOWN"),
    (
        WordsError([Fault("WORD_NOT_KNOWN", "words.Echo", "coverage does not know the word Echo")]),
        code_pb2.UNIMPLEMENTED,
        "WORD_NOT_KNOWN",
    ),
    (TooLargeError("large"), code_pb2.INVALID_ARGUMENT, "PROBLEM_TOO_LARGE"),
    (GameRefusedError([MALFORMED]), code_pb2.INVALID_ARGUMENT, "TILE_UNKNOWN"),
    (GameRefusedError([FORBIDDEN]), code_pb2.FAILED_PRECONDITION, "SIDE_CLOSED"),
    (NothingToRunError("none", [FORBIDDEN]), code_pb2.FAILED_PRECONDITION, "SIDE_CLOSED"),
    (NotPlayableError("not yet"), code_pb2.UNIMPLEMENTED, "GAME_NOT_PLAYABLE"),
    (OutOfTimeError("late"), code_pb2.DEADLINE_EXCEEDED, "TIME_TOO_SHORT"),
    (QueueFullError("full", 0.25), code_pb2.RESOURCE_EXHAUSTED, "QUEUE_FULL"),
    (NotReadyError("soon", 1.0), code_pb2.UNAVAILABLE, "NOT_READY"),
    (DeadlineError("late"), code_pb2.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED"),
    (CancelledError("gone"), code_pb2.CANCELLED, "CANCELLED"),
    (
        UnconfirmedError([FORBIDDEN, MALFORMED], Run(), Verdict(), "said"),
        code_pb2.INTERNAL,
        "ANSWER_NOT_CONFIRMED",
    ),
)


def details(status: status_pb2.Status) -> dict[str, object]:
    """Return the details of a status by name of their type."""
    kinds = {
        kind.DESCRIPTOR.full_name: kind
        for kind in (
            error_details_pb2.ErrorInfo,
            error_details_pb2.BadRequest,
            error_details_pb2.PreconditionFailure,
            error_details_pb2.RetryInfo,
        )
    }
    found = {}
    for detail in status.details:
        message = kinds[detail.TypeName()]()
        assert detail.Unpack(message)
        found[message.DESCRIPTOR.name] = message
    return found


@pytest.mark.parametrize(("error", "code", "reason"), ERRORS, ids=lambda value: str(value)[:20])
def test_each_error_has_its_code_and_reason(error: BradshawError, code: int, reason: str) -> None:
    """ErrorInfo with the domain always; a reason that is the code of the one fault, or of the
    error."""
    status = status_of(error)
    info = details(status)["ErrorInfo"]
    assert isinstance(info, error_details_pb2.ErrorInfo)
    assert (status.code, info.reason, info.domain) == (code, reason, "bradshaw")


def test_every_class_of_the_table_is_tried_above() -> None:
    """A new line of the table needs a new line here."""
    assert {kind for kind, _ in CODES} == {type(error) for error, _, _ in ERRORS}


def test_malformed_and_forbidden_faults_go_to_different_details() -> None:
    """BadRequest with field and reason; PreconditionFailure with type, subject and the rule."""
    found = details(status_of(StateError([FORBIDDEN, MALFORMED])))
    bad, failed = found["BadRequest"], found["PreconditionFailure"]
    assert isinstance(bad, error_details_pb2.BadRequest)
    assert isinstance(failed, error_details_pb2.PreconditionFailure)
    (field,), (failure,) = bad.field_violations, failed.violations
    assert (field.field, field.reason) == ("position.board.tiles[2].tile", "TILE_UNKNOWN")
    assert failure.type == "SIDE_CLOSED"
    assert failure.subject == "position.board.tiles[2].rotation"
    assert failure.description == "closed (FMT §D7.6)"


def test_a_fault_of_something_unknown_is_malformed_even_if_it_cites_a_rule() -> None:
    """A slot that does not exist is not a slot that a rule forbids."""
    fault = Fault("SLOT_UNKNOWN", "board.tokens[0].slot", "no slot", "FMT §D9.2")
    assert status_of(StateError([fault])).code == code_pb2.INVALID_ARGUMENT


@pytest.mark.parametrize("code", ["FIELD_MISSING", "FIELD_MALFORMED"])
def test_a_fault_of_form_is_malformed_even_if_it_cites_the_format(code: str) -> None:
    """An action that cannot be read is no action that a rule forbids."""
    fault = Fault(code, "actions[0].price", "no price", "FMT §B5")
    status = status_of(GameRefusedError([fault]))
    assert status.code == code_pb2.INVALID_ARGUMENT
    assert "BadRequest" in details(status)


def test_an_error_that_is_not_ours_says_nothing_of_itself() -> None:
    """INTERNAL without the text of the exception."""
    status = status_of(ValueError("secret"))
    assert status.code == code_pb2.INTERNAL
    assert "secret" not in status.message


@pytest.mark.parametrize("number", [1, 2, 7, 500])
def test_a_message_says_whole_sentences_and_counts_the_rest(number: int) -> None:
    """However many faults there are and however long they are."""
    faults = [Fault("HEX_UNKNOWN", f"board.tiles[{n}].hex", "x" * 10 * n) for n in range(number)]
    for error in (StateError(faults), GameRefusedError(faults, "entry 7")):
        message = status_of(error).message
        *said, last = message.removeprefix("entry 7: ").split("; ")
        if last.endswith(" more"):
            assert len(said) + int(last.split()[1]) == number
        else:
            assert len(said) + 1 == number
        assert all(text.startswith("position.board.tiles[") for text in said)


def test_a_fault_of_the_whole_request_has_no_colon_before_it() -> None:
    """It has no path."""
    assert status_of(RequestError([Fault("NOT_A_MESSAGE", "", "no")])).message == "no"


def test_a_report_is_named_in_the_metadata() -> None:
    """So that a client can tell which file of the service shows its case."""
    error = UnconfirmedError([MALFORMED], Run(), Verdict(), "said")
    error.report = "disagreement-1.json"
    info = details(status_of(error))["ErrorInfo"]
    assert isinstance(info, error_details_pb2.ErrorInfo)
    assert info.metadata["report"] == "disagreement-1.json"


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("board.tokens[0]", "position.board.tokens[0]"),
        ("company.home", "position.company.home"),
        ("company.trains", "position.company.trains"),
        ("profile", "position.rules.name"),
        ("profile.name", "position.rules.name"),
        ("profile.overrides[mail]", "position.rules.overrides[mail]"),
        ("wishes.idle[1]", "options.wishes.idle_trains[1]"),
        ("wishes.avoid_hexes[0]", "options.wishes.avoid_hexes[0]"),
        ("wishes.pinned[2].legs[0]", "options.wishes.pinned[2].legs[0]"),
        ("wishes.pinned[2].train", "options.wishes.pinned[2].train_id"),
        ("wishes.attach", "options.wishes.attach"),
        ("algorithm", "options.algorithm"),
        ("runs", "options.run_count"),
    ],
)
def test_paths_of_the_domain_become_fields_of_the_request(path: str, field: str) -> None:
    """And a field path stays what it is."""
    assert field_path(path) == field
    assert field_path(field) == field
    assert names_field(route_service_pb2.OptimizeRoutesRequest.DESCRIPTOR, field)


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("routes[0].train", "routes[0].train_id"),
        ("routes[0].paid[1]", "routes[0].paid.stops[1]"),
        ("routes[0].paid", "routes[0].paid.stops"),
        ("routes[1].stops[0]", "routes[1].stops[0]"),
        ("routes", "routes"),
    ],
)
def test_paths_of_routes_become_fields_of_a_request_to_validate(path: str, field: str) -> None:
    """And a field path stays what it is."""
    assert field_path(path) == field_path(field) == field
    assert names_field(route_service_pb2.ValidateRoutesRequest.DESCRIPTOR, field)


@given(
    st.lists(
        st.builds(
            Fault,
            st.sampled_from(["TILE_UNKNOWN", "SIDE_CLOSED"]),
            st.text(max_size=300),
            st.text(max_size=3000),
            st.sampled_from(["", "FMT §D7"]),
        ),
        max_size=40,
    )
)
def test_details_fit_the_trailers_whatever_the_faults(faults: list[Fault]) -> None:
    """8 KiB with base64 and the message, percent-encoded; the number of faults is kept."""
    error = StateError(faults)
    status = status_of(error)
    assert sum(detail.ByteSize() for detail in status.details) < MOST_BYTES + 300
    message = len(status.message.encode()) * 3
    assert len(status.SerializeToString()) * 4 / 3 + message < 8000
    info = details(status)["ErrorInfo"]
    assert isinstance(info, error_details_pb2.ErrorInfo)
    if faults:
        assert info.metadata["faults"] == str(len(faults))
