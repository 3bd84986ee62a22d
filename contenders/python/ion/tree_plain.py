"""What simpleion.loads makes of the bytes if it is asked for plain values."""

from typing import Any

from amazon.ion.simpleion import IonPyValueModel, loads

_PLAIN = IonPyValueModel.MAY_BE_BARE | IonPyValueModel.SYMBOL_AS_TEXT | IonPyValueModel.STRUCT_AS_STD_DICT


def read(data: bytes) -> Any:
    """Lists, dicts and scalars."""
    return loads(data, value_model=_PLAIN)
