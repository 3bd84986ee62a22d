"""`fleet certificates DIR`: an authority, and certificates by which the peers of a fleet know each other."""

import datetime
import os
from pathlib import Path
from typing import Any

from serbench.errors import UserError
from serbench.files import failure_to_write
from serbench.fleet.wire import AUTHORITY, CERTIFICATE, KEY, load

DAYS = 365
ROLES = ("scheduler", "worker", "client")


def make_certificates(folder: Path, days: int = DAYS) -> None:
    """Make an authority, and a folder with certificate, key and authority for each role. Raises UserError.

    That of the scheduler serves to be connected to, those of the others only to connect, so that no worker
    can pass for the scheduler. The authority's key is not kept: who needs another certificate makes all anew.
    """
    load()
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    if folder.exists():
        raise UserError(f"{folder} exists: certificates are made in a new folder")
    began = datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=1)

    def signed(name: str, key: Any, issuer: str, by: Any, extensions: list[tuple[Any, bool]]) -> bytes:
        def named(text: str) -> Any:
            return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

        made = (
            x509.CertificateBuilder()
            .subject_name(named(name))
            .issuer_name(named(issuer))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(began)
            .not_valid_after(began + datetime.timedelta(days=days))
        )
        for extension, critical in extensions:
            made = made.add_extension(extension, critical)
        return bytes(made.sign(by, hashes.SHA256()).public_bytes(_pem()))

    authority = ec.generate_private_key(ec.SECP256R1())
    title = "serbench fleet"
    own = x509.SubjectKeyIdentifier.from_public_key(authority.public_key())
    root = signed(
        title,
        authority,
        title,
        authority,
        [(x509.BasicConstraints(ca=True, path_length=0), True), (_signs(x509), True), (own, False)],
    )
    by = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key())
    try:
        for role in ROLES:
            place = folder / role
            place.mkdir(parents=True, mode=0o700)
            key = ec.generate_private_key(ec.SECP256R1())
            uses = ExtendedKeyUsageOID
            serves = uses.SERVER_AUTH if role == "scheduler" else uses.CLIENT_AUTH
            extensions = [
                (x509.BasicConstraints(ca=False, path_length=None), True),
                (x509.ExtendedKeyUsage([serves]), True),
                (by, False),
            ]
            _write(place / AUTHORITY, root)
            _write(place / CERTIFICATE, signed(f"serbench {role}", key, title, authority, extensions))
            _write(place / KEY, _private(key))
    except OSError as error:
        raise failure_to_write(folder, error) from error


def _pem() -> Any:
    from cryptography.hazmat.primitives import serialization

    return serialization.Encoding.PEM


def _private(key: Any) -> bytes:
    from cryptography.hazmat.primitives import serialization

    form = serialization.PrivateFormat.PKCS8
    return bytes(key.private_bytes(_pem(), form, serialization.NoEncryption()))


def _signs(x509: Any) -> Any:
    uses = dict.fromkeys(
        ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement"),
        False,
    )
    return x509.KeyUsage(**uses, key_cert_sign=True, crl_sign=True, encipher_only=False, decipher_only=False)


def _write(path: Path, data: bytes) -> None:
    """Write a file that only its owner reads."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
