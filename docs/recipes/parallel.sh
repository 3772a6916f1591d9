#!/usr/bin/env bash
# Does the jobs of a split with GNU parallel, then joins their results: parallel.sh FOLDER [OPTIONS OF PARALLEL]
# With --sshlogin it uses other machines that share the folder. A job that was killed is started again, and jobs that have a
# result are not, so that the script can be run again after anything that went wrong.
set -euo pipefail
folder=$1
shift
parallel --will-cite --retries 3 --joblog "$folder/parallel.log" "$@" \
    "test -e '$folder/results/{/}' || uwbmc job {}" ::: "$folder"/jobs/*.json || true
exec uwbmc join "$folder"
