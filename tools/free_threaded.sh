#!/usr/bin/env bash
# Tests on a free-threaded Python, which has pokermodel, pytest and hypothesis, and perhaps pytest-run-parallel and what
# else the tests can use:
#
#     bash tools/free_threaded.sh python3.14t
#
# First threads that share what may be shared; then rooms with kernels as they are, with the lock off; then every test of
# some files on several threads at once. What needs packages that have no wheels for such a Python is left out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=$1

"$python" -W error -c "import sys; assert not sys._is_gil_enabled(), 'this Python has its lock'"
"$python" -m pytest -n 0 -q tests/core/test_threads.py

lacking=()  # files that import what is not there, besides those that skip by themselves
for file in $(grep -rlE "^(import|from) (eval7|phevaluator|pokerkit|scipy|pyagrum|pandas|polars)" tests --include "test_*.py"); do
    for library in $(grep -oE "^(import|from) (eval7|phevaluator|pokerkit|scipy|pyagrum|pandas|polars)" "$file" | awk '{ print $2 }'); do
        "$python" -c "import $library" 2> /dev/null || lacking+=(--ignore "$file")
    done
done
PYTHON_GIL=0 "$python" -m pytest -n 0 -q "${lacking[@]}" --ignore tests/core/test_native.py --ignore tests/core/test_simd.py \
    tests/core tests/evaluation tests/game tests/reading tests/classics/simulation tests/tables/players tests/learning tests/tables/arena

if "$python" -c "import pytest_run_parallel" 2> /dev/null; then
    "$python" -m pytest -n 0 -q --parallel-threads 4 tests/evaluation/test_dealing.py tests/evaluation/test_evaluation.py \
        tests/core/test_simd.py tests/scoring/test_measures.py tests/classics/loki2/test_triples.py
fi
