"""The number of the C surface that the kernels were compiled with (``pokermodel/abi.h``)."""

NUMBER = PM_ABI
