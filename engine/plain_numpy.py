"""The part of numpy that rulings use, in plain Python, for machines without numpy: a browser with Pyodide.

`install` puts this module in numpy's place, and the rules run unchanged. Every number is the same to the last bit:
arrays hold Python's integers and 64-bit floats, numbers are rounded where numpy rounds them, and sums of floats are
refused, because numpy adds them in an order of its own. Forecasts need more of numpy than this module has.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from struct import pack, unpack
from types import GenericAlias
from typing import Any

Shape = tuple[int, ...]


def install() -> None:
    """Make `import numpy` return this module from now on."""
    sys.modules["numpy"] = sys.modules["numpy.typing"] = sys.modules[__name__]


@dataclass(frozen=True, eq=False, slots=True)
class NumberKind:
    """A kind of number, such as `numpy.int64`."""

    name: str  # Its name in numpy
    rank: int  # Its rank: arithmetic of two kinds has the greater one's
    convert: Callable[[Any], Any]  # Turns a number into the nearest one of this kind, as numpy stores it

    def __call__(self, value: Any) -> Any:
        """Return a number of this kind, as a Python number."""
        return self.convert(value)


def _unsigned(bits: int) -> Callable[[Any], int]:
    mask = (1 << bits) - 1
    return lambda value: int(value) & mask


def _signed(bits: int) -> Callable[[Any], int]:
    mask, half = (1 << bits) - 1, 1 << (bits - 1)
    return lambda value: ((int(value) + half) & mask) - half


bool_ = NumberKind("bool", 0, bool)
uint8 = NumberKind("uint8", 1, _unsigned(8))
int8 = NumberKind("int8", 2, _signed(8))
int16 = NumberKind("int16", 3, _signed(16))
int32 = NumberKind("int32", 4, _signed(32))
int64 = NumberKind("int64", 5, _signed(64))
uint64 = NumberKind("uint64", 6, _unsigned(64))
float32 = NumberKind("float32", 7, lambda value: unpack("f", pack("f", value))[0])
float64 = NumberKind("float64", 8, float)


def _operation(function: Callable[[Any, Any], Any], kind: NumberKind | None = None) -> Any:
    """Return a method that applies a function to each number; the results are of `kind`, if not of the numbers' own."""
    return lambda values, other: values._with(other, function, kind)


class ndarray:  # noqa: N801 - numpy's name
    """An array of numbers of one kind; a part taken by slices shares its numbers.

    Args:
        numbers: The Python numbers of this array or of the array that it is a part of.
        shape: The length of each axis.
        start: Place of the first number.
        steps: Places from one number to the next, for each axis; by default those of a whole array.
    """

    __slots__ = ("_is_plain", "_numbers", "_start", "_steps", "dtype", "shape")
    __hash__ = None  # type: ignore[assignment] # equality compares numbers

    def __init__(
        self, numbers: Sequence[Any], kind: NumberKind, shape: Shape, start: int = 0, steps: Shape | None = None
    ) -> None:
        self._numbers: Any = numbers
        self.dtype = kind
        self.shape = shape
        self._start = start
        self._steps = _steps_of(shape) if steps is None else steps
        self._is_plain = len(shape) == 1 and start == 0 and self._steps == (1,) and len(numbers) == shape[0]

    def __class_getitem__(cls, kind: Any) -> GenericAlias:
        """Return the type `NDArray[numpy.int64]`."""
        return GenericAlias(cls, kind)

    @property
    def size(self) -> int:
        """Return the number of elements."""
        return math.prod(self.shape)

    def __len__(self) -> int:
        """Return the length of the first axis."""
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        """Yield numbers, or rows."""
        return (self[index] for index in range(self.shape[0]))

    def __repr__(self) -> str:
        return f"array({self.tolist()}, {self.dtype.name})"

    def __getitem__(self, key: Any) -> Any:
        """Return a number, a part that shares its numbers, or (by arrays of indices or booleans) a new array."""
        if type(key) is int and self._is_plain:
            return self._numbers[key]
        if type(key) is tuple and len(key) == 2 == len(self.shape) and type(key[0]) is type(key[1]) is int:
            return self._numbers[self._place(key)]
        keys = key if isinstance(key, tuple) else (key,)
        if any(isinstance(part, list | ndarray) for part in keys):
            places, shape = self._chosen(keys)
            return ndarray([self._numbers[place] for place in places], self.dtype, shape)
        part = self._part(keys)
        return part if part.shape else self._numbers[part._start]

    def __setitem__(self, key: Any, value: Any) -> None:
        """Write a number or an array into a part."""
        if type(key) is int and self._is_plain:
            self._numbers[key] = self.dtype.convert(value)
            return
        if type(key) is tuple and len(key) == 2 == len(self.shape) and type(key[0]) is type(key[1]) is int:
            self._numbers[self._place(key)] = self.dtype.convert(value)
            return
        keys = key if isinstance(key, tuple) else (key,)
        places: Iterable[int]
        if any(isinstance(part, list | ndarray) for part in keys):
            places, shape = self._chosen(keys)
        else:
            part = self._part(keys)
            places, shape = part._places(), part.shape
        numbers = broadcast_to(asarray(value, self.dtype), shape)._values()
        for place, number in zip(places, numbers, strict=True):
            self._numbers[place] = number

    def tolist(self) -> Any:
        """Return the elements as nested lists."""
        return self._values() if len(self.shape) == 1 else [row.tolist() for row in self]

    def tobytes(self) -> bytes:
        """Return the elements as bytes, one byte each."""
        if self.dtype is not uint8:
            raise TypeError(f"{self.dtype.name} has no bytes here")
        return bytes(self._values())

    def copy(self) -> ndarray:
        """Return a new array with the same elements."""
        return ndarray(self._values(), self.dtype, self.shape)

    def view(self) -> ndarray:
        """Return the same numbers as another array."""
        return ndarray(self._numbers, self.dtype, self.shape, self._start, self._steps)

    def astype(self, kind: NumberKind) -> ndarray:
        """Return a new array of another kind; conversion to integers cuts off fractions."""
        return ndarray([*map(kind.convert, self._values())], kind, self.shape)

    def reshape(self, *shape: Any) -> ndarray:
        """Return the same elements, row by row, in another shape."""
        wanted = shape[0] if isinstance(shape[0], tuple) else shape
        if math.prod(wanted) != self.size:
            raise ValueError(f"{self.size} numbers do not fit into the shape {wanted}")
        return ndarray(self._values(), self.dtype, wanted)

    def setflags(self, *, write: bool) -> None:
        """Forbid changes for good."""
        if write:
            raise ValueError("an array that may not be changed stays so")
        self._numbers = tuple(self._numbers)

    def sum(self, axis: int | None = None) -> Any:
        """Return the sum of integers or booleans, of all or along the last axis."""
        if self.dtype.rank >= float32.rank:
            raise TypeError("numpy adds floats up in an order of its own")
        if axis is None:
            return sum(self._values())
        return self._along_last(axis, sum, uint64 if self.dtype is uint64 else int64)

    def argmin(self, axis: int | None = None) -> Any:
        """Return the index of the smallest element, the first of equals, of all or along the last axis."""
        if axis is None:
            return _least(self._values())
        return self._along_last(axis, _least, int64)

    def any(self) -> bool:
        """Return True if any element is not 0."""
        return any(self._values())

    def all(self) -> bool:
        """Return True if no element is 0."""
        return all(self._values())

    def _along_last(self, axis: int, function: Callable[[list[Any]], Any], kind: NumberKind) -> ndarray:
        if axis != len(self.shape) - 1:
            raise ValueError(f"axis {axis} is not the last of {len(self.shape)}")
        values, length = self._values(), self.shape[axis]
        rows = [function(values[first : first + length]) for first in range(0, len(values), length)]
        return ndarray(rows, kind, self.shape[:axis])

    # Places: indices of a part's elements in `_numbers`.

    def _values(self) -> list[Any]:
        if self._is_plain:
            return list(self._numbers)
        return [self._numbers[place] for place in self._places()]

    def _places(self) -> Iterable[int]:
        size = self.size
        if not size or self._steps == _steps_of(self.shape):
            return range(self._start, self._start + size)
        places = [self._start]
        for length, step in zip(self.shape, self._steps, strict=True):
            along = [index * step for index in range(length)]
            places = [place + further for place in places for further in along]
        return places

    def _place(self, key: Sequence[int]) -> int:
        """Return the place of one element."""
        place: int = self._start
        for index, length, step in zip(key, self.shape, self._steps, strict=True):
            place += _within(index, length) * step
        return place

    def _part(self, keys: Sequence[Any]) -> ndarray:
        """Return the part that numbers, slices and None (a new axis) select."""
        start, shape, steps, axis = self._start, [], [], 0
        for key in keys:
            if key is None:
                shape.append(1)
                steps.append(0)
                continue
            length, step = self.shape[axis], self._steps[axis]
            axis += 1
            if isinstance(key, slice):
                first, last, every = key.indices(length)
                shape.append(len(range(first, last, every)))
                steps.append(step * every)
                start += first * step
            else:
                start += _within(key, length) * step
        return ndarray(self._numbers, self.dtype, (*shape, *self.shape[axis:]), start, (*steps, *self._steps[axis:]))

    def _chosen(self, keys: Sequence[Any]) -> tuple[list[int], Shape]:
        """Return the places selected by arrays of indices or booleans, and by single indices, on the first axes."""
        chosen: list[ndarray] = []
        for key in keys:
            index = asarray(key)
            chosen += nonzero(index) if index.dtype is bool_ else [index]
        shape = _common_shape(*(index.shape for index in chosen))
        axes = len(chosen)
        ends = [0] * math.prod(shape)
        for index, length, step in zip(chosen, self.shape, self._steps, strict=False):
            values = broadcast_to(index, shape)._values()
            for extreme in (min(values), max(values)) if values else ():
                _within(extreme, length)
            ends = [end + place % length * step for end, place in zip(ends, values, strict=True)]
        rest = ndarray(self._numbers, self.dtype, self.shape[axes:], self._start, self._steps[axes:])
        inner = [*rest._places()]
        return [end + place for end in ends for place in inner], (*shape, *rest.shape)

    # Arithmetic, number by number.

    def _with(self, other: Any, function: Callable[[Any, Any], Any], kind: NumberKind | None = None) -> ndarray:
        shape, joint, numbers = self.shape, self.dtype, None
        if isinstance(other, ndarray | list | tuple):
            other = asarray(other)
            shape = _common_shape(shape, other.shape)
            joint, numbers = _joint(joint, other.dtype), broadcast_to(other, shape)._values()
        elif isinstance(other, float):
            joint = _joint(joint, float32 if joint is float32 else float64)
        elif not isinstance(other, bool):
            joint = int64 if joint is bool_ else joint
        values = self if shape == self.shape else broadcast_to(self, shape)
        kind = kind or joint
        results = map(function, values._values(), repeat(other) if numbers is None else numbers)
        return ndarray([*results] if kind in (bool_, float64) else [*map(kind.convert, results)], kind, shape)

    __add__ = __radd__ = _operation(operator.add)
    __sub__ = _operation(operator.sub)
    __mul__ = __rmul__ = _operation(operator.mul)
    __truediv__ = _operation(operator.truediv, float64)
    __and__ = __rand__ = _operation(operator.and_)
    __xor__ = __rxor__ = _operation(operator.xor)
    __rshift__ = _operation(operator.rshift)
    __eq__ = _operation(operator.eq, bool_)
    __ne__ = _operation(operator.ne, bool_)
    __lt__ = _operation(operator.lt, bool_)
    __le__ = _operation(operator.le, bool_)
    __gt__ = _operation(operator.gt, bool_)
    __ge__ = _operation(operator.ge, bool_)

    def __matmul__(self, other: ndarray) -> ndarray:
        """Return the dot products of the last axis with a row of integers."""
        values, length, kind = self._values(), self.shape[-1], _joint(self.dtype, other.dtype)
        columns = [values[place::length] for place in range(length)]
        products = (map(operator.mul, column, repeat(weight)) for column, weight in zip(columns, other, strict=True))
        return ndarray([*map(kind.convert, map(sum, zip(*products, strict=True)))], kind, self.shape[:-1])

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError("an array is neither true nor false")
        return bool(self._values()[0])


NDArray = ndarray
"""The name of arrays in `numpy.typing`."""


def array(values: Any, kind: NumberKind | None = None) -> ndarray:
    """Return a new array of nested sequences; its kind follows from them unless given."""
    if isinstance(values, ndarray):
        return values.astype(kind or values.dtype)
    rows = [*values]
    if rows and isinstance(rows[0], ndarray | list | tuple):
        return stack([array(row, kind) for row in rows])
    element_kind = kind or _kind_of(rows)
    return ndarray([*map(element_kind.convert, rows)], element_kind, (len(rows),))


def asarray(values: Any, kind: NumberKind | None = None) -> ndarray:
    """Return an array unchanged if it is of that kind, else converted; a number becomes an array without axes."""
    if isinstance(values, ndarray):
        return values if kind in (None, values.dtype) else values.astype(kind)
    if isinstance(values, bool | int | float):
        return ndarray([values], kind or _kind_of([values]), ())
    return array(values, kind)


def ascontiguousarray(values: ndarray) -> ndarray:
    """Return an array whose numbers are in rows: the array itself, or a copy of a part."""
    return values if values._steps == _steps_of(values.shape) else values.copy()


def frombuffer(content: bytes, kind: NumberKind) -> ndarray:
    """Return bytes as an array of one-byte numbers."""
    if kind is not uint8:
        raise TypeError(f"{kind.name} is not read from bytes here")
    return ndarray(list(content), uint8, (len(content),))


def full(shape: int | Shape, value: Any, kind: NumberKind | None = None) -> ndarray:
    """Return a new array filled with one number."""
    shape = (shape,) if isinstance(shape, int) else shape
    kind = kind or _kind_of([value])
    return ndarray([kind.convert(value)] * math.prod(shape), kind, shape)


def zeros(shape: int | Shape, kind: NumberKind = float64) -> ndarray:
    """Return a new array of zeros."""
    return full(shape, 0, kind)


def ones(shape: int | Shape, kind: NumberKind = float64) -> ndarray:
    """Return a new array of ones."""
    return full(shape, 1, kind)


def arange(count: int, dtype: NumberKind = int64) -> ndarray:
    """Return the integers from 0 up to, not including, a number."""
    return array(range(count), dtype)


def stack(arrays: Iterable[ndarray], axis: int = 0) -> ndarray:
    """Return arrays of equal shape as one, along a new first or last axis."""
    rows = [*arrays]
    kind = rows[0].dtype
    for row in rows[1:]:
        if row.shape != rows[0].shape:
            raise ValueError(f"the shapes {rows[0].shape} and {row.shape} differ")
        kind = _joint(kind, row.dtype)
    columns = [row.astype(kind)._values() for row in rows]
    if axis == 0:
        return ndarray([number for column in columns for number in column], kind, (len(rows), *rows[0].shape))
    if axis not in (-1, len(rows[0].shape)):
        raise ValueError(f"axis {axis} is neither the first nor the last")
    return ndarray([*chain.from_iterable(zip(*columns, strict=True))], kind, (*rows[0].shape, len(rows)))


def broadcast_to(values: Any, shape: Shape) -> ndarray:
    """Return an array as a part of another shape, with axes of length 1 repeated."""
    values = asarray(values)
    missing = len(shape) - len(values.shape)
    lengths = (1,) * missing + values.shape
    if missing < 0 or any(length not in (1, wanted) for length, wanted in zip(lengths, shape, strict=True)):
        raise ValueError(f"the shape {values.shape} does not fit {shape}")
    steps = (0,) * missing + values._steps
    repeated = (step if length > 1 else 0 for length, step in zip(lengths, steps, strict=True))
    return ndarray(values._numbers, values.dtype, shape, values._start, tuple(repeated))


def where(condition: Any, then: Any, otherwise: Any) -> ndarray:
    """Return the elements of the first where the condition holds, else those of the second."""
    chosen = [asarray(part) for part in (condition, then, otherwise)]
    shape = _common_shape(*(part.shape for part in chosen))
    kind = _joint(chosen[1].dtype, chosen[2].dtype)
    columns = (broadcast_to(part, shape)._values() for part in chosen)
    rows = zip(*columns, strict=True)
    return ndarray([kind.convert(first if holds else second) for holds, first, second in rows], kind, shape)


def isin(values: ndarray, wanted: Iterable[Any]) -> ndarray:
    """Return for each element whether it is among the wanted ones."""
    known = {*wanted}
    return ndarray([number in known for number in values._values()], bool_, values.shape)


def nonzero(values: ndarray) -> tuple[ndarray, ...]:
    """Return the indices of the elements that are not 0, an array for each axis."""
    places = [place for place, number in enumerate(values._values()) if number]
    axes = []
    for length, step in zip(values.shape, _steps_of(values.shape), strict=True):
        axes.append(ndarray([place // step % length for place in places], int64, (len(places),)))
    return tuple(axes)


def argmin(values: ndarray) -> int:
    """Return the index of the smallest element, the first of equals."""
    return _least(values._values())


def argsort(values: ndarray, *, kind: str) -> ndarray:
    """Return the indices of the elements in ascending order; equals keep their order."""
    if kind != "stable":
        raise ValueError("only a stable order is the same everywhere")
    numbers = values._values()
    return array(sorted(range(len(numbers)), key=numbers.__getitem__), int64)


def unique(values: ndarray, *, return_inverse: bool) -> tuple[ndarray, ndarray]:
    """Return the distinct elements in ascending order, and for each element its index among them."""
    if not return_inverse:
        raise ValueError("the places are always returned here")
    numbers = values._values()
    distinct = sorted(set(numbers))
    places = {number: place for place, number in enumerate(distinct)}
    inverse = ndarray([*map(places.__getitem__, numbers)], int64, values.shape)
    return ndarray(distinct, values.dtype, (len(distinct),)), inverse


def _joint(first: NumberKind, second: NumberKind) -> NumberKind:
    """Return the kind of the result of arithmetic with two kinds."""
    if uint64 in (first, second) and not {first, second} <= {uint64, bool_, uint8}:
        raise TypeError(f"numpy makes floats of {first.name} and {second.name}")
    return max(first, second, key=lambda kind: kind.rank)


def _kind_of(values: Sequence[Any]) -> NumberKind:
    """Return the kind that numpy gives to Python numbers; float if there are none."""
    if not values or any(isinstance(value, float) for value in values):
        return float64
    return bool_ if all(isinstance(value, bool) for value in values) else int64


def _steps_of(shape: Shape) -> Shape:
    """Return the steps of a whole array, stored row by row."""
    steps, step = [], 1
    for length in reversed(shape):
        steps.append(step)
        step *= length
    return tuple(reversed(steps))


def _common_shape(*shapes: Shape) -> Shape:
    """Return the shape of arithmetic with several arrays, with axes of length 1 repeated."""
    axes = max(map(len, shapes))
    padded = [(1,) * (axes - len(shape)) + shape for shape in shapes]
    return tuple(next((length for length in lengths if length != 1), 1) for lengths in zip(*padded, strict=True))


def _within(index: int, length: int) -> int:
    if not -length <= index < length:
        raise IndexError(f"place {index} of {length}")
    return index + length if index < 0 else index


def _least(values: list[Any]) -> int:
    return values.index(min(values))
