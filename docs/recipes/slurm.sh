#!/usr/bin/env bash
# A job of a split as a task of a Slurm array, in a folder that the nodes share:
#
#   array=$(sbatch --parsable --array=1-$(ls FOLDER/jobs | wc -l) slurm.sh FOLDER)
#   sbatch --dependency=afterany:$array --wrap "uwbmc join FOLDER"
#
# A task that loses its node is queued again.
#SBATCH --job-name=uwbmc
#SBATCH --requeue
#SBATCH --cpus-per-task=1
set -euo pipefail
folder=$1
job=$(printf '%s\n' "$folder"/jobs/*.json | sed -n "${SLURM_ARRAY_TASK_ID}p")
exec uwbmc job "$job"
