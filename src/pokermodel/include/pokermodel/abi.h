/* The number of the C surface: what the .pxd files declare, and the structs and inline functions of these headers.
 *
 * It is raised when something compiled before no longer fits the package that is installed: another layout, another
 * signature, another meaning. What is only added does not raise it.
 */
#ifndef POKERMODEL_ABI_H
#define POKERMODEL_ABI_H

#define PM_ABI 1

#endif
