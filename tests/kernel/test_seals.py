"""The signed note around a seal: what was signed verifies, and nothing else does."""

from __future__ import annotations

import base64
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.application import BadSeal, Keys, Seal, Sealer, verify_seal

#: Of the key of the tests. Were it ever another, the key served would no longer verify seals given out before.
PUBLIC = "c1ea0944f182dbbab0448376d7c2d9ff1eed74f0948c98643ae6343fc006c333"
SEALER = Sealer(bytes(range(32)))
OTHER = Sealer(bytes(32))
SEAL = Seal("k3v7q2mzt5a4c", 4080, hashlib.sha256(b"root").digest())
NOTE = SEALER.sign(SEAL).checkpoint

seals = st.builds(
    Seal,
    st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=1, max_size=13),
    st.integers(0, 10**18 - 1),
    st.binary(min_size=32, max_size=32),
)


def test_the_form_of_a_checkpoint():
    text, _, signature = NOTE.rpartition("\n\n")
    root = base64.b64encode(SEAL.root).decode()
    assert text == f"campaign-ledger/k3v7q2mzt5a4c\n4080\n{root}"
    dash, name, signed = signature.removesuffix("\n").split(" ")
    assert (dash, name) == ("—", "campaign-ledger/k3v7q2mzt5a4c")
    key_id = hashlib.sha256(name.encode() + b"\n\x01" + SEALER.public_key).digest()[:4]
    assert base64.b64decode(signed) == key_id + SEALER.sign(SEAL).signature


@given(seals)
def test_what_was_signed_verifies_and_says_the_same(seal: Seal):
    signed = SEALER.sign(seal)
    assert signed == SEALER.sign(seal)
    assert verify_seal(signed.checkpoint, SEALER.public_key) == seal
    with pytest.raises(BadSeal):
        verify_seal(signed.checkpoint, OTHER.public_key)


@given(st.integers(0, len(NOTE) - 1), st.characters())
def test_no_character_can_be_another(place: int, character: str):
    changed = NOTE[:place] + character + NOTE[place + 1 :]
    if changed == NOTE:
        assert verify_seal(changed, SEALER.public_key) == SEAL
    else:
        with pytest.raises(BadSeal):
            verify_seal(changed, SEALER.public_key)


@given(st.integers(0, len(NOTE) - 1))
def test_no_part_of_it_is_enough(length: int):
    with pytest.raises(BadSeal):
        verify_seal(NOTE[:length], SEALER.public_key)


@given(st.text())
def test_no_text_at_all_breaks_the_verifier(text: str):
    with pytest.raises(BadSeal):
        verify_seal(text, SEALER.public_key)


def line_of(note: str) -> str:
    return note.rpartition("\n\n")[2]


def test_signatures_of_others_are_passed_over():
    theirs = line_of(OTHER.sign(SEAL).checkpoint)
    witness = "— witness.example/w " + base64.b64encode(bytes(80)).decode() + "\n"
    for note in (NOTE + theirs, NOTE + witness, f"{SEAL.body}\n{theirs}{witness}{line_of(NOTE)}"):
        assert verify_seal(note, SEALER.public_key) == SEAL
        assert verify_seal(note + theirs, OTHER.public_key) == SEAL


def test_a_signature_of_ours_that_fails_is_not_made_good_by_another():
    name, signed = line_of(NOTE).split(" ")[1:]
    wrong = base64.b64encode(base64.b64decode(signed)[:-1] + b"\x00").decode()
    with pytest.raises(BadSeal, match="does not match this text"):
        verify_seal(f"{NOTE}— {name} {wrong}\n", SEALER.public_key)


def test_the_signature_of_another_campaign_or_count_is_none():
    for other in (Seal("another", SEAL.count, SEAL.root), Seal(SEAL.campaign, SEAL.count + 1, SEAL.root)):
        with pytest.raises(BadSeal):
            verify_seal(f"{other.body}\n{line_of(NOTE)}", SEALER.public_key)


@pytest.mark.parametrize("key", [b"", bytes(31), bytes(33)])
def test_what_is_no_key_verifies_nothing(key: bytes):
    with pytest.raises(BadSeal):
        verify_seal(NOTE, key)


def test_the_key_follows_from_the_servers_and_tells_nothing_of_it():
    one, other = Keys(b"a key for the tests only"), Keys(b"another key, longer than that")
    assert one.make_sealing_seed() == Keys(b"a key for the tests only").make_sealing_seed() != other.make_sealing_seed()
    assert Sealer(one.make_sealing_seed()).public_key.hex() == PUBLIC
    assert len(one.make_sealing_seed()) == 32
    assert repr(Sealer(one.make_sealing_seed())) == "Sealer(...)"
