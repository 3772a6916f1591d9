"""Does the jobs of a split with Dask, then joins their results: with_dask.py FOLDER [ADDRESS OF A SCHEDULER]

Without a scheduler, two worker processes on this machine do them. Workers elsewhere need the folder at the same place. A job
whose worker was lost is done again.
"""

import subprocess
import sys
from pathlib import Path

from distributed import Client, LocalCluster, wait


def do(job):
    """The exit code of a job."""
    return subprocess.run(["uwbmc", "job", job], stdout=subprocess.DEVNULL).returncode


def main(folder, address=None):
    """The exit code of joining the results of all jobs."""
    cluster = address or LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    jobs = sorted(str(job) for job in Path(folder, "jobs").glob("*.json"))
    with Client(cluster) as client:
        wait(client.map(do, jobs, retries=2, pure=False))
    return subprocess.run(["uwbmc", "join", folder]).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
