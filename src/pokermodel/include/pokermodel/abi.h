/* The number of the C surface: what the .pxd files declare, and the structs and inline functions of these headers.
 *
 * It is raised when modules that were compiled before no longer fit: another layout, another signature, another
 * meaning. Additions do not raise it.
 */
#ifndef POKERMODEL_ABI_H
#define POKERMODEL_ABI_H

#define PM_ABI 3

#endif
