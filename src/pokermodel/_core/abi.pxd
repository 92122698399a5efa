# The number of the C surface, see pokermodel/abi.h. A module that cimports anything of pokermodel calls
#
#     from pokermodel._core.abi cimport require_abi
#     require_abi()
#
# first: structs that do not fit would otherwise be read all the same.

cdef extern from *:
    """
    #include "pokermodel/abi.h"
    #if PM_ABI != 3
    #error "the .pxd files and the headers of pokermodel are of different versions: is include_dirs get_include()?"
    #endif
    """

cdef extern from "pokermodel/abi.h" nogil:
    enum: PM_ABI

cdef enum:
    ABI = 3


cdef inline int require_abi() except -1:
    """Raise `ImportError` unless the pokermodel that is imported is the one this module was compiled for."""
    from pokermodel._core.abi import NUMBER as installed
    if installed != PM_ABI:
        raise ImportError(
            f"this module was compiled for version {PM_ABI} of pokermodel's C surface, and version {installed} is "
            "installed: compile it again"
        )
    return 0
