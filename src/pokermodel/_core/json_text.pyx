"""Text of JSON as `json.dumps` writes it, for lists of lists, numbers and short texts."""

import json
from json.encoder import encode_basestring_ascii

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.tuple cimport PyTuple_GET_SIZE
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy


cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    const uint8_t *PyUnicode_1BYTE_DATA(object text)


cdef enum:
    LEAST = 512  # bytes of a buffer
    DIGITS = 20  # of a number of 64 bits
    DEEPEST = 100  # lists in one another


cdef struct Buffer:
    char *data
    Py_ssize_t used
    Py_ssize_t room


cdef char *reserve(Buffer *b, Py_ssize_t more) except NULL:
    """Make room, and return where the text goes on."""
    cdef Py_ssize_t room = b.room
    cdef char *data
    if b.room - b.used < more:
        while room - b.used < more:
            room = 2 * room if room else LEAST
        data = <char *> PyMem_Realloc(b.data, room)
        if data == NULL:
            raise MemoryError
        b.data, b.room = data, room
    return b.data + b.used


cdef int put(Buffer *b, const char *text, Py_ssize_t length) except -1:
    memcpy(reserve(b, length), text, length)
    b.used += length
    return 0


cdef int put_whole(Buffer *b, long long number) except -1:
    cdef char digits[DIGITS]
    cdef int at = DIGITS
    cdef uint64_t rest = <uint64_t> number
    if number < 0:
        rest = 0 - rest
    while True:
        at -= 1
        digits[at] = <char> (c'0' + rest % 10)
        rest //= 10
        if not rest:
            break
    if number < 0:
        put(b, "-", 1)
    return put(b, digits + at, DIGITS - at)


cdef int put_text(Buffer *b, text) except -1:
    cdef Py_ssize_t n, k
    cdef const uint8_t *characters
    cdef bint plain = PyUnicode_IS_ASCII(text)
    cdef char *out
    if plain:
        n, characters = PyUnicode_GET_LENGTH(text), PyUnicode_1BYTE_DATA(text)
        for k in range(n):
            plain &= c' ' <= characters[k] <= c'~' and characters[k] != c'"' and characters[k] != c'\\'
        if plain:
            out = reserve(b, n + 2)
            out[0] = out[n + 1] = c'"'
            memcpy(out + 1, characters, n)
            b.used += n + 2
            return 0
    return put_bytes(b, encode_basestring_ascii(text).encode())


cdef int put_bytes(Buffer *b, bytes text) except -1:
    return put(b, PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))


cdef int put_value(Buffer *b, value, shortened, int depth) except -1:
    cdef tuple values
    cdef Py_ssize_t n, k
    cdef int overflow = 0
    cdef long long number
    if value is None:
        return put(b, "null", 4)
    if value is True:
        return put(b, "true", 4)
    if value is False:
        return put(b, "false", 5)
    if isinstance(value, int):
        number = PyLong_AsLongLongAndOverflow(value, &overflow)
        if not overflow:
            return put_whole(b, number)
    elif isinstance(value, str):
        return put_text(b, value)
    elif isinstance(value, (tuple, list)) and depth < DEEPEST:
        values = <tuple> value if isinstance(value, tuple) else tuple(<list> value)  # or a class of its own
        n = PyTuple_GET_SIZE(values)
        n -= n > 0 and type(value) is shortened and values[n - 1] is None
        put(b, "[", 1)
        for k in range(n):
            if k:
                put(b, ", ", 2)
            put_value(b, values[k], shortened, depth + 1)
        return put(b, "]", 1)
    return put_bytes(b, json.dumps(value).encode())


def dumps(value, type shortened=None):
    """Write a value as JSON.

    Parameters
    ----------
    value : list, tuple, str, int, bool, None, or what else JSON has
        Numbers of more than 64 bits, fractions and mappings are left to `json.dumps`.
    shortened : type, optional
        A named tuple that is written without its last value where that is None.

    Returns
    -------
    bytes
        What `json.dumps` returns, which is ASCII.

    Raises
    ------
    TypeError
        If JSON has nothing like it.
    ValueError
        If it contains itself.
    """
    cdef Buffer b
    b.data, b.used, b.room = NULL, 0, 0
    try:
        put_value(&b, value, shortened, 0)
        return PyBytes_FromStringAndSize(b.data, b.used)
    finally:
        PyMem_Free(b.data)
