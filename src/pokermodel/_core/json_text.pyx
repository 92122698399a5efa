"""Plain data as JSON text, in the bytes that Python's ``json`` writes.

That module spends most of its time on floats, a few hundred in a hand that was read; here they are written by
``pokermodel/texts/floats.h``. What is rare is left to it, so that there is one rule for it, and one error.
"""

import json

from cpython.float cimport PyFloat_AS_DOUBLE
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset


cdef extern from "Python.h":
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL
    bint PyUnicode_IS_COMPACT_ASCII(object text) noexcept
    void *PyUnicode_DATA(object text) noexcept
    Py_ssize_t PyUnicode_GET_LENGTH(object text) noexcept
    long long PyLong_AsLongLongAndOverflow(object number, int *overflow) except? -1

cdef extern from "pokermodel/texts/floats.h" nogil:
    enum: PM_FLOAT_TEXT
    int pm_float_text(double value, char *out) noexcept
    char *pm_digits_before(char *end, uint64_t number) noexcept

cdef enum:
    DEEPEST = 64        # what is deeper may contain itself
    FIRST_ROOM = 4096

cdef long long LARGEST = 0x7fffffffffffffff


# as it is usual, and compact
cdef tuple encoders = (json.JSONEncoder(allow_nan=False), json.JSONEncoder(allow_nan=False, separators=(",", ":")))


ctypedef struct Text:
    char *at            # text that grows
    Py_ssize_t used
    Py_ssize_t room
    bint compact


cdef int make_room(Text *text, Py_ssize_t more) except -1:
    cdef Py_ssize_t room = max(2 * text.room, text.used + more, <Py_ssize_t> FIRST_ROOM)
    cdef char *found = <char *> PyMem_Realloc(text.at, room)
    if found is NULL:
        raise MemoryError
    text.at, text.room = found, room
    return 0


cdef int put(Text *text, const char *what, Py_ssize_t n) except -1:
    if text.room - text.used < n:
        make_room(text, n)
    memcpy(text.at + text.used, what, n)
    text.used += n
    return 0


cdef int put_rest(Text *text, value) except -1:
    """What Python's own encoder says of a value."""
    cdef Py_ssize_t n
    cdef object told = encoders[text.compact].encode(value)
    cdef const char *data = PyUnicode_AsUTF8AndSize(told, &n)
    return put(text, data, n)


cdef inline bint has_escapes(uint64_t eight) noexcept:
    """Whether one of eight ASCII characters is written otherwise: a control, a quote, a backslash, or the last one.

    Less than 32: a borrow into the highest bit, which no ASCII character has. A quote or a backslash is 0 where it is
    taken away from itself; 127 is carried into the highest bit by 1.
    """
    cdef uint64_t ones = <uint64_t> 0x0101010101010101
    cdef uint64_t quote = eight ^ (ones * c'"')
    cdef uint64_t backslash = eight ^ (ones * c'\\')
    return ((eight - ones * 32) | (eight + ones) | (quote - ones) | (backslash - ones)) & (ones << 7) != 0


cdef int put_string(Text *text, value) except -1:
    """A string in quotes; one with characters that need an escape is left to Python's encoder."""
    cdef Py_ssize_t k, n
    cdef const unsigned char *data
    cdef char *to
    cdef uint64_t eight
    if not PyUnicode_IS_COMPACT_ASCII(value):
        return put_rest(text, value)
    n = PyUnicode_GET_LENGTH(value)
    data = <const unsigned char *> PyUnicode_DATA(value)
    if text.room - text.used < n + 2:
        make_room(text, n + 2)
    to = text.at + text.used
    to[0] = c'"'
    if n >= 8:
        for k in range(0, n, 8):
            if k > n - 8:               # the last eight, some of them once more
                k = n - 8
            memcpy(&eight, data + k, 8)
            if has_escapes(eight):
                return put_rest(text, value)
            memcpy(to + 1 + k, &eight, 8)
    else:
        for k in range(n):
            if data[k] < 32 or data[k] > 126 or data[k] == c'"' or data[k] == c'\\':
                return put_rest(text, value)
            to[k + 1] = <char> data[k]
    to[n + 1] = c'"'
    text.used += n + 2
    return 0


cdef int put_whole(Text *text, value) except -1:
    cdef int overflow = 0
    cdef long long number = PyLong_AsLongLongAndOverflow(value, &overflow)
    cdef char[24] digits
    cdef char *first
    if overflow or number < -LARGEST:
        return put_rest(text, value)
    first = pm_digits_before(digits + 24, <uint64_t> (-number if number < 0 else number))
    if number < 0:
        first -= 1
        first[0] = c'-'
    return put(text, first, digits + 24 - first)


cdef int put_float(Text *text, value) except -1:
    cdef int n
    if text.room - text.used < PM_FLOAT_TEXT:
        make_room(text, PM_FLOAT_TEXT)
    n = pm_float_text(PyFloat_AS_DOUBLE(value), text.at + text.used)
    if n == 0:
        return put_rest(text, value)
    text.used += n
    return 0


cdef int put_dict(Text *text, dict value, int depth) except -1:
    cdef Py_ssize_t begun = text.used
    cdef const char *between = "{"
    cdef int blank = not text.compact
    cdef Py_ssize_t n = 1
    if not value:
        return put(text, "{}", 2)
    for key, each in value.items():
        if type(key) is not str:  # a number, perhaps
            text.used = begun
            return put_rest(text, value)
        put(text, between, n)
        between, n = ", ", 1 + blank
        put_string(text, key)
        put(text, ": ", 1 + blank)
        put_value(text, each, depth + 1)
    return put(text, "}", 1)


cdef int put_list(Text *text, value, int depth) except -1:
    """A list or tuple."""
    cdef const char *between = "["
    cdef Py_ssize_t n = 1
    cdef Py_ssize_t k
    if not value:
        return put(text, "[]", 2)
    for k in range(len(value)):
        put(text, between, n)
        between, n = ", ", 1 if text.compact else 2
        put_value(text, value[k], depth + 1)
    return put(text, "]", 1)


cdef int put_value(Text *text, value, int depth) except -1:
    cdef type kind = type(value)
    if kind is str:
        return put_string(text, value)
    if kind is float:
        return put_float(text, value)
    if value is None:
        return put(text, "null", 4)
    if kind is int:
        return put_whole(text, value)
    if value is True:
        return put(text, "true", 4)
    if value is False:
        return put(text, "false", 5)
    if depth < DEEPEST:
        if kind is dict:
            return put_dict(text, value, depth)
        if kind is list or kind is tuple:
            return put_list(text, value, depth)
    return put_rest(text, value)


def dumps(value, bint compact=False):
    """Write plain data as JSON, as ``json.dumps(value, allow_nan=False)`` does, in a fifth of the time.

    Parameters
    ----------
    value : object
        Whatever ``json`` can write.
    compact : bool
        Without blanks, as by ``separators=(",", ":")``.

    Returns
    -------
    str
        Of ASCII.

    Raises
    ------
    ValueError
        If a float is infinite or not a number, or something contains itself.
    TypeError
        If something is no plain data.
    """
    cdef Text text
    memset(&text, 0, sizeof(Text))
    text.compact = compact
    try:
        put_value(&text, value, 0)
        return PyUnicode_DecodeASCII(text.at, text.used, NULL)
    finally:
        PyMem_Free(text.at)
