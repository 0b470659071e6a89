"""One attempt: signed, to the address that was checked, over TLS with the name, and nothing that a receiver can do."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from standardwebhooks import Webhook, WebhookVerificationError

from api.hooks.sending import Message, Outcome, Sender
from api.service.hook_addresses import Allowed, parse_allowed
from ledger.application import Keys
from tests.api.hooks.receiver import Receiver, receiving

HERE = parse_allowed("127.0.0.1")
SECRET = Keys(b"a key for the tests only").make_hook_secret("k3v7q2mzt5a4c", "abc")
NAME = "bot.example"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


def message(url: str, body: str = '{"type":"fact"}') -> Message:
    return Message(url, "msg_1", body, SECRET)


def sent(sender: Sender, one: Message) -> Outcome:
    return asyncio.run(sender.send(one, datetime.now(UTC)))


def test_the_signature_is_the_one_of_the_standard() -> None:
    """The values of the specification's own example."""
    body = '{"event_type":"ping","data":{"success":true}}'
    one = Message("", "msg_loFOjxBNrRLzqYUf", body, "whsec_plJ3nmyCDGBKInavdOK15jsl")
    headers = one.make_headers(datetime.fromtimestamp(1731705121, UTC))
    assert headers["webhook-id"] == "msg_loFOjxBNrRLzqYUf" and headers["webhook-timestamp"] == "1731705121"
    assert headers["webhook-signature"] == "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0="
    assert "plJ3nmy" not in repr(one)


def test_what_is_delivered_can_be_verified(receiver: Receiver) -> None:
    body = '{"text":"Märchen"}'
    assert sent(Sender(HERE), message(f"{receiver.url}?a=b", body)) == Outcome()
    got = receiver.next()
    assert (got.path, got.body.decode()) == ("/hook?a=b", body)
    assert got.headers["content-type"] == "application/json" and got.headers["host"] == f"127.0.0.1:{receiver.port}"
    Webhook(SECRET).verify(got.body, got.headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(SECRET).verify(got.body + b" ", got.headers)
    other = Keys(b"another key, for nothing").make_hook_secret("k3v7q2mzt5a4c", "abc")
    with pytest.raises(WebhookVerificationError):
        Webhook(other).verify(got.body, got.headers)


def test_the_secret_is_of_its_hook_and_its_campaign() -> None:
    keys = Keys(b"a key for the tests only")
    assert (
        len({keys.make_hook_secret("a", "b"), keys.make_hook_secret("a", "c"), keys.make_hook_secret("b", "b"), SECRET})
        == 4
    )
    assert SECRET.startswith("whsec_")


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (200, Outcome()),
        (204, Outcome()),
        (299, Outcome()),
        (410, Outcome("The address returned 410 (gone), so delivery stopped.", is_gone=True)),
        (400, Outcome("The address returned 400.")),
        (500, Outcome("The address returned 500.")),
        (404, Outcome("The address returned 404.")),
        (429, Outcome("The address returned 429.")),
    ],
)
def test_what_the_receiver_answers_is_what_comes_of_it(receiver: Receiver, status: int, outcome: Outcome) -> None:
    receiver.answers = [status]
    assert sent(Sender(HERE), message(receiver.url)) == outcome


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308, 304])
def test_a_redirect_is_not_followed(receiver: Receiver, status: int) -> None:
    with receiving() as other:
        receiver.answers, receiver.headers = [status], {"Location": other.url}
        outcome = sent(Sender(HERE), message(receiver.url))
        assert outcome == Outcome(f"The address returned {status}. Redirects are not followed.")
        assert not other.received and len(receiver.received) == 1


def test_the_name_is_looked_up_at_every_attempt_and_what_was_checked_is_connected_to(receiver: Receiver) -> None:
    """A name that first means the receiver and then somewhere inside gets nothing the second time."""
    answers = [["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1", "::1"], ["127.0.0.1"]]
    asked: list[tuple[str, int]] = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return answers.pop(0)

    sender = Sender(HERE, resolve=resolve)
    url = f"http://{NAME}:{receiver.port}/x"
    outcomes = [sent(sender, message(url)) for _ in range(4)]
    assert [one.problem is None for one in outcomes] == [True, False, False, True]
    assert asked == [(NAME, receiver.port)] * 4 and len(receiver.received) == 2
    assert {one.headers["host"] for one in receiver.received} == {f"{NAME}:{receiver.port}"}


def test_an_address_of_ipv6_is_named_in_brackets(receiver: Receiver) -> None:
    sender = Sender(HERE, resolve=lambda host, port: ["127.0.0.1"])
    assert sent(sender, message(f"http://[2606:4700::1111]:{receiver.port}/")) == Outcome()
    assert receiver.next().headers["host"] == f"[2606:4700::1111]:{receiver.port}"


def test_proxies_of_the_environment_are_not_used(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert sent(Sender(HERE), message(receiver.url)) == Outcome()
        assert not proxy.received


def test_nothing_inside_is_sent_to_that_was_allowed_when_the_hook_was_made(receiver: Receiver) -> None:
    outcome = sent(Sender(Allowed()), message(receiver.url))
    assert outcome.problem is not None and "https://" in outcome.problem and not receiver.received


def test_who_hangs_is_given_up(receiver: Receiver) -> None:
    receiver.open.clear()
    assert (
        sent(Sender(HERE, patience=0.05), message(receiver.url)).problem
        == "The address did not respond within 0.05 seconds."
    )


def test_who_is_not_there_cannot_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert sent(Sender(HERE), message(f"http://127.0.0.1:{port}/")).problem == "The address can't be reached."


@pytest.mark.parametrize(
    "said", [b"nonsense\r\n\r\n", b"", b"HTTP/1.1 200", b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 99999]
)
def test_what_is_no_answer_is_a_failure(said: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            here, _ = server.accept()
            with here:
                here.recv(65536)
                try:
                    here.sendall(said)
                    here.shutdown(socket.SHUT_WR)
                    here.recv(1)
                except OSError:
                    return

        Thread(target=answer, daemon=True).start()
        outcome = sent(Sender(HERE), message(f"http://127.0.0.1:{server.getsockname()[1]}/"))
    assert outcome.problem is not None and not outcome.is_gone


def test_of_an_answer_no_more_is_read_than_its_status() -> None:
    """One that never ends keeps nobody."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        closed = Event()

        def answer() -> None:
            here, _ = server.accept()
            with here:
                here.recv(65536)
                here.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\nx")
                while here.recv(65536):
                    pass
                closed.set()

        Thread(target=answer, daemon=True).start()
        one = message(f"http://127.0.0.1:{server.getsockname()[1]}/")
        assert sent(Sender(HERE, patience=60), one) == Outcome() and closed.wait(120)


# --- TLS ---


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of bot.example, signed by itself, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    form = serialization.PrivateFormat.PKCS8
    path = tmp_path_factory.mktemp("tls") / "certificate.pem"
    path.write_bytes(
        made.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    )
    return path


def test_over_tls_the_name_is_asked_for_and_proved(certificate: Path) -> None:
    """Connected to by its address, named by its name: in the handshake, the certificate and the Host."""
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(certificate)
    named: list[str | None] = []
    serving.sni_callback = lambda line, name, context: named.append(name)
    trusting = ssl.create_default_context(cafile=str(certificate))
    with receiving(serving) as receiver:
        url = f"https://{NAME}:{receiver.port}/x"
        known = Sender(HERE, resolve=lambda host, port: ["127.0.0.1"], tls=trusting)
        assert sent(known, message(url)) == Outcome()
        assert named == [NAME] and receiver.next().headers["host"] == f"{NAME}:{receiver.port}"
        other = sent(known, message(f"https://other.example:{receiver.port}/x"))
        unknown = sent(Sender(HERE, resolve=lambda host, port: ["127.0.0.1"]), message(url))
        assert other.problem == unknown.problem == "The certificate is not trusted."
        assert len(receiver.received) == 1
