"""The server's key and everything derived from it: campaign ids, tokens, names of receipts, the sealing key."""

from __future__ import annotations

import base64
import hashlib
import hmac
from functools import lru_cache, partial

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ledger.events.shelves import LENGTH, PLACE

SEALING = b"campaign-ledger/seal/1"
#: Crockford's base 32: it has no I, L and O, which are easily confused with digits, and no U, so that no words appear.
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
MOST_TOKENS = 20_000  # tokens kept in memory, because each request compares its token twice


class Keys:
    """Derives ids, tokens and signatures from the server's key, which has at least 16 bytes and never leaves the
    service.
    """

    def __init__(self, server_key: bytes) -> None:
        if len(server_key) < 16:
            raise ValueError("the server's key must have at least 16 bytes")
        self._key = server_key
        self._make_token_code = lru_cache(MOST_TOKENS)(partial(self._make_code, "token"))

    def __repr__(self) -> str:
        return "Keys(...)"

    def _sign(self, *parts: str) -> bytes:
        message = b"".join(len(part.encode()).to_bytes(4, "big") + part.encode() for part in parts)
        return hmac.digest(self._key, message, "sha256")

    def make_campaign_id(self, idempotency_key: str) -> str:
        """Return a campaign's id of 15 lower-case letters and digits. It is derived from the server's key and the
        idempotency key, so that nobody can guess it.
        """
        return _make_id(self._sign("campaign", idempotency_key))

    def make_fork_id(self, campaign: str, seat: str, idempotency_key: str) -> str:
        """Return a fork's id, in the form of a campaign's. It is the same if the same seat repeats the request."""
        return _make_id(self._sign("fork", campaign, seat, idempotency_key))

    def make_token(self, campaign: str, seat: str, generation: int) -> str:
        """Return the token `<campaign>.<seat>.<HMAC>`. It is the same for the same generation."""
        return f"{campaign}.{seat}.{self._make_token_code(campaign, seat, str(generation))}"

    def make_token_mark(self, receipt: str, seat: str, generation: int) -> str:
        """Return the mark that replaces a token in a stored receipt. Only the service can put the token back."""
        return self._make_code("token mark", receipt, seat, str(generation))

    def make_page_session(self, campaign: str, seat: str, generation: int) -> str:
        """Return the text that a browser keeps in place of the seat's token. It gives access only to the page."""
        return self._make_code("page session", campaign, seat, str(generation))

    def make_form_proof(self, session: str, purpose: str, salt: str) -> str:
        """Return the proof that the form was made for the session. `salt`: different each time."""
        return self._make_code("page form", session, purpose, salt)

    def _make_code(self, *parts: str) -> str:
        return base64.urlsafe_b64encode(self._sign(*parts)).rstrip(b"=").decode()

    def make_dice_seed(self, campaign: str, epoch_number: int, seed_kind: str) -> bytes:
        """Return the 32-byte seed of the ledger's dice in an epoch. `seed_kind`: open or hidden."""
        return self._sign("dice", campaign, str(epoch_number), seed_kind)

    def make_sealing_seed(self) -> bytes:
        """Return the private key that signs seals, 32 bytes. It is derived from the server's key (HKDF-SHA256), so one
        backup is enough for both.
        """
        return HKDF(algorithm=SHA256(), length=32, salt=None, info=SEALING).derive(self._key)

    def make_hook_id(self, campaign: str, seat: str, idempotency_key: str) -> str:
        """Return the id of a webhook: 13 lower-case letters and digits, the same for the same request."""
        return base64.b32encode(self._sign("hook", campaign, seat, idempotency_key))[:13].decode().lower()

    def make_bookmark_id(self, campaign: str, seat: str, idempotency_key: str) -> str:
        """Return the id of a private bookmark, in the form of `make_hook_id`."""
        return base64.b32encode(self._sign("bookmark", campaign, seat, idempotency_key))[:13].decode().lower()

    def make_hook_secret(self, campaign: str, hook_id: str) -> str:
        """Return the secret `whsec_...`, which signs deliveries. It is derived from the key when needed, and never
        stored.
        """
        return "whsec_" + base64.b64encode(self._sign("hook secret", campaign, hook_id)).decode()

    def make_invite_id(self, campaign: str, seat: str, idempotency_key: str) -> str:
        """Return the id of an invite: 13 lower-case letters and digits, the same for the same request."""
        return base64.b32encode(self._sign("invite", campaign, seat, idempotency_key))[:13].decode().lower()

    def make_invite_secret(self, campaign: str, invite_id: str) -> str:
        """Return the secret after the `#` of a link. It has the form of a token, so code that hides tokens hides it,
        too.
        """
        mac = self._sign("invite secret", campaign, invite_id)[:16]
        return f"{campaign}.{invite_id}.{base64.urlsafe_b64encode(mac).rstrip(b'=').decode()}"

    def make_invite_code(self, campaign: str, invite_id: str) -> str:
        """Return a code like `7K3M-9QXT`: 40 bits in Crockford's base 32, to be read aloud."""
        bits = int.from_bytes(self._sign("invite code", campaign, invite_id)[:5], "big")
        code = "".join(CROCKFORD[bits >> shift & 31] for shift in range(35, -1, -5))
        return f"{code[:4]}-{code[4:]}"

    def hash_invite_text(self, kind: str, text: str) -> str:
        """Return the hash of a secret or code. It is made with the server's key, so that nobody can find a code of 40
        bits from the hashes in a stolen database.
        """
        return self._sign("invite hash", kind, text).hex()

    def sign_invite_text(self, signed_part: str) -> str:
        """Return the signature of an invite's whole row, which proves that this server made it."""
        return self._sign("invite signature", signed_part).hex()

    def sign_hook(self, signed_part: str) -> str:
        """Return the signature of a webhook's address and rights. It proves that this server made the webhook or that
        its seat agreed.
        """
        return self._sign("hook signature", signed_part).hex()

    def sign_snapshot(self, campaign: str, snapshot_bytes: bytes) -> bytes:
        """Return the signature of a campaign's snapshot, 32 bytes. It proves that this server made the snapshot."""
        digest = hashlib.sha256(snapshot_bytes).hexdigest()  # so that the megabytes are hashed only once
        return self._sign("snapshot", campaign, digest)

    def has_signed_snapshot(self, campaign: str, snapshot_bytes: bytes, mac: bytes) -> bool:
        return hmac.compare_digest(self.sign_snapshot(campaign, snapshot_bytes), mac)

    def make_database_password(self) -> str:
        """Return the password of the service's own login, for an installation that sets only the owner's login."""
        return self._sign("database").hex()

    def make_projector_password(self) -> str:
        """Return the password of the projector's login, for an installation that sets none."""
        return self._sign("database", "projector").hex()


def _make_id(mac: bytes) -> str:
    """Return the id: a random part, then the number of the shelf (`find_shelf_number`). Ids from before shelves existed
    have only the random part.
    """
    return base64.b32encode(mac)[: LENGTH + PLACE].decode().lower()


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def is_same_hash(first: str, other: str) -> bool:
    return hmac.compare_digest(first.encode(), other.encode())


def make_receipt_id(seat: str, route: str, key: str) -> str:
    return hashlib.sha256("\n".join((seat, route, key)).encode()).hexdigest()[:40]
