"""JSON of what stands in a hand, in the bytes of `json.dumps`, for `pokermodel.learning.identity`."""

from json.encoder import encode_basestring_ascii as quoted

from cpython.list cimport PyList_GET_SIZE
from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.tuple cimport PyTuple_GET_SIZE
from cpython.unicode cimport PyUnicode_GET_LENGTH
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy


cdef extern from "Python.h":
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL


cdef enum:
    DEPTH = 64


cdef struct Text:
    char *at
    Py_ssize_t size
    Py_ssize_t room


cdef int reserve(Text *text, Py_ssize_t more) except -1:
    cdef char *at
    if text.size + more > text.room:
        at = <char *> realloc(text.at, 2 * (text.size + more))
        if at == NULL:
            raise MemoryError
        text.at, text.room = at, 2 * (text.size + more)
    return 0


cdef int add(Text *text, const char *more, Py_ssize_t size) except -1:
    reserve(text, size)
    memcpy(text.at + text.size, more, size)
    text.size += size
    return 0


cdef int add_number(Text *text, int64_t value) except -1:
    cdef char digits[20]
    cdef int n = 0
    cdef uint64_t rest = <uint64_t> value if value >= 0 else 0 - <uint64_t> value
    reserve(text, 20)
    if value < 0:
        text.at[text.size] = c'-'
        text.size += 1
    while True:
        digits[n] = c'0' + <char> (rest % 10)
        n += 1
        rest //= 10
        if rest == 0:
            break
    while n:
        n -= 1
        text.at[text.size] = digits[n]
        text.size += 1
    return 0


cdef int add_text(Text *text, str value) except -1:
    """A string in quotes; what has to be escaped is left to Python."""
    cdef Py_ssize_t size = 0
    cdef Py_ssize_t k
    cdef const char *data
    if PyUnicode_IS_COMPACT_ASCII(value):
        data = PyUnicode_AsUTF8AndSize(value, &size)
        for k in range(size):
            if not c' ' <= data[k] < 0x7f or data[k] == c'"' or data[k] == c'\\':
                break
        else:
            add(text, b'"', 1)
            add(text, data, size)
            add(text, b'"', 1)
            return 0
    cdef str escaped = quoted(value)
    data = PyUnicode_AsUTF8AndSize(escaped, &size)
    return add(text, data, size)


cdef int add_value(Text *text, value, int depth) except -1:
    cdef int overflow = 0
    cdef int64_t number
    cdef Py_ssize_t k, n
    cdef bint is_tuple
    cdef str digits
    if depth > DEPTH:
        raise ValueError(f"expected at most {DEPTH} lists in each other")
    if value is None:
        return add(text, b"null", 4)
    if value is True:
        return add(text, b"true", 4)
    if value is False:
        return add(text, b"false", 5)
    if isinstance(value, int):
        number = PyLong_AsLongLongAndOverflow(value, &overflow)
        if not overflow:
            return add_number(text, number)
        digits = int.__repr__(value)
        add(text, PyUnicode_AsUTF8AndSize(digits, &n), PyUnicode_GET_LENGTH(digits))
        return 0
    if isinstance(value, str):
        return add_text(text, str.__str__(value))
    is_tuple = isinstance(value, tuple)
    if not is_tuple and not isinstance(value, list):
        raise ValueError(f"expected numbers, text, and lists of them, got {value!r}")
    n = PyTuple_GET_SIZE(value) if is_tuple else PyList_GET_SIZE(value)
    add(text, b"[", 1)
    for k in range(n):
        if k:
            add(text, b", ", 2)
        add_value(text, (<tuple> value)[k] if is_tuple else (<list> value)[k], depth + 1)
    return add(text, b"]", 1)


def json_text(value):
    """JSON of whole numbers, text, truth values, None, and tuples and lists of them.

    Parameters
    ----------
    value : object

    Returns
    -------
    bytes
        What `json.dumps` makes of it, in ASCII.

    Raises
    ------
    ValueError
        If there is something else in it, or lists are nested more than 64 times.
    """
    cdef Text text
    text.at, text.size, text.room = NULL, 0, 0
    try:
        reserve(&text, 1024)
        add_value(&text, value, 0)
        return text.at[:text.size]
    finally:
        free(text.at)
