#!/usr/bin/env bash
# Tests of threads with kernels that ThreadSanitizer watches, in a copy of the checkout: status 1 if it finds a race.
#
#     bash tools/thread_sanitizer.sh [pytest arguments]
#
# Needs gcc with libtsan, and what the tests and a build need. The interpreter and NumPy are not watched, but for the
# calls of the C library that they make, so that its lock counts; what releases the lock is what this is about.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

cp -r src tests tools setup.py pyproject.toml README.md LICENSE "$copy"
cd "$copy"
find src -name "*.so" -delete
POKERMODEL_SANITIZE=thread python setup.py --quiet build_ext --inplace > build.log 2>&1 || { tail -n 60 build.log; exit 1; }

[[ $# -gt 0 ]] || set -- tests/core/test_threads.py tests/tables/connect/test_gym.py
export PYTHONPATH=$copy/src LD_PRELOAD OPENBLAS_NUM_THREADS=1
export TSAN_OPTIONS="log_path=$copy/races halt_on_error=0 exitcode=0 report_signal_unsafe=0"
status=0
# -R: where addresses are drawn from more bits than the sanitizer knows of, it ends at once
LD_PRELOAD=$(gcc -print-file-name=libtsan.so) setarch -R python -m pytest --quiet --numprocesses 0 -p no:cacheprovider \
    -p no:faulthandler "$@" || status=$?
unset LD_PRELOAD
reports=("$copy"/races.*)
if [[ -e ${reports[0]} ]]; then
    cat "${reports[@]}"
    status=1
fi
exit "$status"
