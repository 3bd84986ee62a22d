"""What an instance of Fory makes of the bytes."""

from pyfory import Fory

read = Fory(xlang=False).deserialize
