#!/bin/sh
# Test the kernels as ARM CPUs of 64 bits run them, on a computer of another kind, by QEMU.
#
#     tests/benchmarks/arm64.sh FOLDER SENTENCES [COUNT]
#
# Puts Python and its packages for ARM into FOLDER (1 GB, once), runs the tests of the kernels, and
# translates the first COUNT lines of the file SENTENCES (20 otherwise): with dot products (as
# Graviton 2 and later, Apple and Raspberry Pi 5), and without (Cortex-A72, as Raspberry Pi 4). The
# translations are held to those that PYTHON, of this computer, makes: texts and scores, to the last
# bit. That takes an hour at most; it says nothing about speed.
#
# For Debian 12, after `apt install qemu-user-static`. Nothing is installed outside FOLDER.
set -eu

folder=$(mkdir -p "$1" && cd "$1" && pwd)
sentences=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
count=${3:-20}
python=${PYTHON:-.venv/bin/python}
torch=${TORCH:-2.9.1} # the last whose wheel for ARM on PyPI has no CUDA in it
cd "$(dirname "$0")/../.."

if [ ! -d "$folder/root" ]; then
    mkdir -p "$folder/apt/state/lists/partial" "$folder/apt/cache/archives/partial"
    : >"$folder/apt/status"
    cat >"$folder/apt/config" <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
Debug::NoLocking "true";
Dir::State "$folder/apt/state";
Dir::State::status "$folder/apt/status";
Dir::Cache "$folder/apt/cache";
END
    APT_CONFIG=$folder/apt/config apt-get -qq update
    APT_CONFIG=$folder/apt/config apt-get -qq -y --download-only install python3 libgomp1 libstdc++6
    for package in "$folder"/apt/cache/archives/*.deb; do
        dpkg-deb -x "$package" "$folder/unpacked"
    done
    mv "$folder/unpacked" "$folder/root"
fi
arm_python=$(ls "$folder"/root/usr/bin/python3.*[0-9])
version=${arm_python##*python}

if [ ! -d "$folder/packages" ]; then
    packages=$(grep -E '^(numba|numpy|sentencepiece|safetensors|sentencex|py3langid|babel|tqdm)==' \
        requirements.txt)
    platforms=$(printf -- '--platform manylinux_%s_aarch64 ' 2_28 2_27 2_17)
    # Words are meant to be split.
    # shellcheck disable=SC2086
    "$python" -m pip install -q --no-compile --target "$folder/unpacked-packages" \
        $platforms --platform manylinux2014_aarch64 --python-version "$version" \
        --only-binary=:all: $packages backports.zstd pytest hypothesis filelock \
        typing-extensions sympy networkx jinja2 fsspec
    # shellcheck disable=SC2086
    "$python" -m pip install -q --no-compile --target "$folder/unpacked-packages" \
        $platforms --python-version "$version" --only-binary=:all: --no-deps "torch==$torch"
    mv "$folder/unpacked-packages" "$folder/packages"
fi

as() {
    cpu=$1
    shift
    qemu-aarch64-static -cpu "$cpu" -L "$folder/root" -E PYTHONHOME="$folder/root/usr" \
        -E PYTHONPATH=".:$folder/packages" -E PYTHONDONTWRITEBYTECODE=1 \
        -E NUMBA_CACHE_DIR="$folder/compiled" -E OMP_NUM_THREADS=1 "$arm_python" "$@"
}

translate="-m tests.benchmarks.unit_texts --input $sentences --count $count"
# shellcheck disable=SC2086
OMP_NUM_THREADS=1 "$python" $translate >"$folder/here.txt"
failed=0
for cpu in max cortex-a72; do
    echo "== QEMU's CPU $cpu"
    as "$cpu" -c 'from translator.runtime.kernels.unit import unit; print("unit:", unit().name)'
    as "$cpu" -m pytest -q -p no:cacheprovider tests/translator/runtime/kernels \
        --ignore tests/translator/runtime/kernels/test_unit.py || failed=1
    # shellcheck disable=SC2086
    as "$cpu" $translate >"$folder/$cpu.txt"
    if cmp -s "$folder/here.txt" "$folder/$cpu.txt"; then
        echo "the same texts and scores as here, of $(wc -l <"$folder/$cpu.txt") sentences"
    else
        echo "differ from those here: $folder/here.txt $folder/$cpu.txt"
        failed=1
    fi
done
exit "$failed"
