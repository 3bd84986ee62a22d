"""What rust_serialization_benchmark published, and data of the same shapes and counts as its own.

Its README of 21 August 2026, revision 695b804: "serialize" and "deserialize" in microseconds, of prost
"encode" and "decode", of rkyv "validated upfront with error". Capnp and flatbuffers only serialize: of what
they read in place few fields are used there, and all here.

What is not alike. There a writer has a buffer that is kept. Its integers of 8 and 16 bits are of 32 bits
here, and its f32 is a double, which has the digits of an f32 in JSON: formats with fixed widths get larger
here, and bytes are a list of integers. Its tuples and arrays of fixed length are objects here, since a list
would be allocated: JSON, CBOR and MessagePack get their keys, and FlatBuffers a table instead of a struct.
The variants of an enum are numbers here. rmp-serde writes no names of fields there. Its mesh has 125,000
triangles: here a tenth, as wincode takes no list of more than 4 MiB.
"""

import random
import struct
from collections.abc import Callable, Mapping

_TABLE = """
            | log           | mesh          | minecraft     | mk48
bitcode     | 140.96 1466.2 | 1294.7 689.62 | 123.49 1275.8 | 699.44 2362.3
borsh       | 550.63 2155.8 | 6063 4152.2   | 536.02 1810.7 | 2970.8 2841.2
capnp       | 587.84 -      | 8785.4 -      | 474.98 -      | 2638.8 -
ciborium    | 4117.4 12106  | 69397 113360  | 3851.7 10150  | 24199 54178
flatbuffers | 1040.1 -      | 521.83 -      | 3301.7 -      | 5137.4 -
serde_json  | 3710.4 6176.9 | 86382 103590  | 3544.4 7415.6 | 18940 33896
simd-json   | 2082.7 4810.8 | 53187 67970   | 2229.7 4794.3 | 11917 27086
rmp-serde   | 1482.6 3179.5 | 19735 12577   | 1454.2 3047   | 10427 10769
postcard    | 423.06 2268.3 | 482.3 6699.3  | 449.5 2048.5  | 1735.8 4482.9
prost       | 949.65 3418.3 | 7830.6 11039  | 1304.1 3574.9 | 5439.5 9071.7
rkyv        | 248.79 1910.2 | 149 199.83    | 327.32 1856.7 | 968.98 2641.8
wincode     | 205.75 1773.7 | 199.39 149.3  | 243.43 1631.6 | 628.32 2278
"""


def _rows(name: str) -> dict[str, tuple[float, float | None]]:
    head, *rows = ([cell.strip() for cell in line.split("|")] for line in _TABLE.strip("\n").splitlines())
    cells = {row[0]: row[head.index(name)].split() for row in rows}
    return {
        library: (float(write), None if read == "-" else float(read))
        for library, (write, read) in cells.items()
    }


PUBLISHED: Mapping[str, Mapping[str, tuple[float, float | None]]] = {
    name: _rows(name) for name in ("log", "mesh", "minecraft", "mk48")
}
"""By data set and library: the times to write and to read."""
STRUCTS = ("ciborium", "serde_json", "simd-json", "rmp-serde")
"""Libraries whose contender with a schema is called NAME-struct."""


def contender(library: str) -> str:
    """Our contender of a library."""
    return f"rust/{library}-struct" if library in STRUCTS else f"rust/{library}"


def _single(value: float) -> float:
    """The shortest decimal number that an f32 as near to `value` as any has."""
    (nearest,) = struct.unpack("<f", struct.pack("<f", value))
    tried = (float(f"{nearest:.{digits}g}") for digits in range(1, 10))
    return next(each for each in tried if struct.pack("<f", each) == struct.pack("<f", nearest))


def _fraction(order: random.Random) -> float:
    return _single(order.randrange(2**24) / 2**24)


def _often(order: random.Random, share: float = 0.5) -> bool:
    return order.random() < share


def _flags(order: random.Random, *names: str) -> dict[str, bool]:
    return {name: _often(order) for name in names}


def _or_null(order: random.Random, made: Callable[[], object]) -> object:
    return made() if _often(order) else None


def _point(order: random.Random) -> dict[str, float]:
    return {axis: order.random() for axis in "xyz"}


def _signed(order: random.Random, bits: int) -> int:
    return order.randrange(-(2 ** (bits - 1)), 2 ** (bits - 1))


def logs(order: random.Random, count: int = 10_000) -> object:
    """Requests to a web server."""
    methods = ("GET", "POST", "PUT", "PATCH", "DELETE")
    paths = ("/robots.txt", "/styles/site.css", "/styles/print-fonts.css", "/images/banner.svg")
    paths += ("/images/cover.jpg", "/v1/signin", "/v1/signout")
    users = ("-", "anna", "ben", "clara", "dora", "emil", "fritz", "gustav", "hanna")
    months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    def entry() -> object:
        day = f"{order.randint(1, 28)}/{order.choice(months)}/{order.randint(1970, 2021)}"
        clock = ":".join(str(order.randrange(end)) for end in (24, 60, 60))
        version = order.choice(("1.0", "1.1", "2", "3"))
        return {
            "address": {f"x{place}": order.randrange(256) for place in range(4)},
            "identity": "-",
            "userid": order.choice(users),
            "date": f"{day}:{clock} {order.choice('+-')}{order.randint(0, 12):02}00",
            "request": f"{order.choice(methods)} {order.choice(paths)} HTTP/{version}",
            "code": order.randrange(100, 512),
            "size": order.randrange(100_000_000),
        }

    return {"logs": [entry() for _ in range(count)]}


def mesh(order: random.Random, count: int = 12_500) -> object:
    """Triangles of a surface."""

    def triangle() -> object:
        return {corner: {axis: _fraction(order) for axis in "xyz"} for corner in ("v0", "v1", "v2", "normal")}

    return {"triangles": [triangle() for _ in range(count)]}


def _uuid(order: random.Random) -> dict[str, int]:
    return {part: order.getrandbits(32) for part in "abcd"}


def _items(order: random.Random, most: int) -> list[object]:
    ids = ("clay", "brick", "hammer", "salt", "pebble", "rake", "breastplate", "bread")
    return [
        {"count": _signed(order, 8), "slot": order.getrandbits(8), "id": order.choice(ids)}
        for _ in range(order.randrange(most))
    ]


def _entity(order: random.Random) -> object:
    return {
        "id": order.choice(("dog", "goat", "witch", "dragon", "beetle", "phantom", "pigeon", "ant")),
        "pos": _point(order),
        "motion": _point(order),
        "rotation": {axis: _fraction(order) for axis in "xy"},
        "fall_distance": _fraction(order),
        "fire": order.getrandbits(16),
        "air": order.getrandbits(16),
        **_flags(order, "on_ground", "no_gravity", "invulnerable"),
        "portal_cooldown": _signed(order, 32),
        "uuid": _uuid(order),
        "custom_name": _or_null(order, lambda: order.choice(("sunshine", "duchess", "peter", "molly"))),
        **_flags(order, "custom_name_visible", "silent", "glowing"),
    }


def minecraft(order: random.Random, count: int = 500) -> object:
    """Saved players of a game."""
    worlds = ("surface", "depths", "sky")
    recipes = ("hammer", "candle", "sling", "cooking pot", "stove", "knife", "dart", "lamp")
    kinds = ("", "furnace_", "blasting_furnace_", "smoker_")

    def chosen(most: int) -> list[str]:
        return [order.choice(recipes) for _ in range(order.randrange(most))]

    def player() -> object:
        book = (name for kind in kinds for name in (f"is_{kind}filtering_craftable", f"is_{kind}gui_open"))
        return {
            "game_type": order.randrange(4),
            "previous_game_type": order.randrange(4),
            "score": _signed(order, 64),
            "dimension": order.choice(worlds),
            "selected_item_slot": order.getrandbits(32),
            "selected_item": {"count": _signed(order, 8), "slot": order.getrandbits(8), "id": "hammer"},
            "spawn_dimension": _or_null(order, lambda: order.choice(worlds)),
            **{f"spawn_{axis}": _signed(order, 64) for axis in "xyz"},
            "spawn_forced": _or_null(order, lambda: _often(order)),
            "sleep_timer": order.getrandbits(16),
            "food_exhaustion_level": _fraction(order),
            "food_saturation_level": _fraction(order),
            "food_tick_timer": order.getrandbits(32),
            "xp_level": order.getrandbits(32),
            "xp_p": _fraction(order),
            "xp_total": _signed(order, 32),
            "xp_seed": _signed(order, 32),
            "inventory": _items(order, 40),
            "ender_items": _items(order, 27),
            "abilities": {
                "walk_speed": _fraction(order),
                "fly_speed": _fraction(order),
                **_flags(order, "may_fly", "flying", "invulnerable", "may_build", "instabuild"),
            },
            "entered_nether_position": _or_null(order, lambda: _point(order)),
            "root_vehicle": _or_null(order, lambda: {"uuid": _uuid(order), "entity": _entity(order)}),
            "shoulder_entity_left": _or_null(order, lambda: _entity(order)),
            "shoulder_entity_right": _or_null(order, lambda: _entity(order)),
            "seen_credits": _often(order),
            "recipe_book": {
                "recipes": chosen(30),
                "to_be_displayed": chosen(10),
                **_flags(order, *book),
            },
        }

    return {"players": [player() for _ in range(count)]}


# Each kind of ship: how often there is one, its turrets and its weapons.
_SHIPS = (
    (2.14, 1, 20),
    (0.52, 4, 10),
    (0.97, 4, 16),
    (1.46, 4, 18),
    (13.16, 0, 2),
    (1.55, 3, 28),
    (0.83, 1, 15),
    (7.25, 2, 6),
    (4.06, 0, 14),
    (12.92, 3, 11),
)
_SUBMARINE = 8


def _speed(order: random.Random) -> int:
    share = order.random()
    return order.randrange(140, 900) if share < 0.8 else 0 if share < 0.9 else -order.randrange(36, 226)


def _contact(order: random.Random, players: int) -> object:
    (ship,) = order.choices(range(len(_SHIPS)), [each[0] for each in _SHIPS])
    visible = _often(order, 0.7)
    _, turrets, weapons = _SHIPS[ship] if visible else (0, 0, 0)
    submerged = [ship == _SUBMARINE and _often(order, 0.9) for _ in range(2)]
    loaded, base = order.random(), order.getrandbits(16)
    angles = (
        (base + order.randrange(-200, 200)) % 2**16 if _often(order, 0.75) else order.getrandbits(16)
        for _ in range(turrets)
    )
    return {
        "damage": 0 if visible and _often(order, 0.6) else order.randrange(200),
        "entity_id": order.randrange(players * 20),
        "entity_type": ship if visible else None,
        "guidance": {
            "angle": order.getrandbits(16),
            "submerge": submerged[0],
            "velocity": _speed(order),
        },
        "player_id": order.randrange(players) if visible else None,
        "reloads": [_often(order, loaded) for _ in range(weapons)],
        "transform": {
            "altitude": order.randrange(-120, -35) if submerged[1] else 0,
            "angle": order.getrandbits(16),
            "position": {axis: _single(order.uniform(-750, 750)) for axis in "xy"},
            "velocity": _speed(order),
        },
        "turret_angles": list(angles),
    }


def mk48(order: random.Random, count: int = 1_000) -> object:
    """What a server of a game with ships tells its players."""

    def size(order: random.Random) -> int:
        return order.randrange(900, 1100) if _often(order, 0.02) else order.randrange(3, 9)

    def update() -> object:
        players = order.randrange(200, 400)
        radius = (players * 15_000) ** 0.5 + order.uniform(-50, 50)
        chunks = int(radius / 1600) + 1
        return {
            "contacts": [_contact(order, players) for _ in range(order.randrange(20, 40))],
            "score": int(order.random() ** 4 * 5000) + order.randrange(50),
            "world_radius": _single(radius),
            "terrain_updates": [
                {
                    "chunk_id": {axis: order.randrange(-chunks, chunks) for axis in "xy"},
                    "data": list(
                        order.randbytes(order.randrange(*((900, 1100) if _often(order, 0.02) else (3, 9))))
                    ),
                }
                for _ in range(order.randrange(3, 10))
            ],
        }

    return {"updates": [update() for _ in range(count)]}


DOCUMENTS: Mapping[str, Callable[..., object]] = {
    "log": logs,
    "mesh": mesh,
    "minecraft": minecraft,
    "mk48": mk48,
}
