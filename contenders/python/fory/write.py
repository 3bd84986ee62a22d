"""What an instance of Fory makes of the tree."""

from pyfory import Fory

write = Fory(xlang=False).serialize
