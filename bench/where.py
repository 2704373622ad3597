"""Where something is measured: the commit, the machine, and how busy it is."""

import os
import platform
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def git(*words: str) -> str:
    """Give what a Git command prints, or nothing without Git."""
    try:
        return subprocess.check_output(
            ["git", *words], cwd=ROOT, text=True, stderr=subprocess.DEVNULL
        ).strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def commit(*paths: str) -> str:
    """Name the commit, and say whether the files below these paths differ from it."""
    changed = " with changes" if git("status", "--porcelain", "--", *paths) else ""
    return (git("rev-parse", "--short", "HEAD") or "unknown") + changed


def last_change(*paths: str) -> str:
    """Name the last commit that changed anything below these paths, or say that it is not in."""
    if git("status", "--porcelain", "--", *paths):
        return "changed"
    return git("log", "-1", "--format=%h", "--", *paths) or "unknown"


def machine() -> str:
    """Name the processor, its cores, and whether other jobs were busy on them."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    model = models[0] if models else platform.processor() or "unknown processor"
    load = os.getloadavg()[0]
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}; other jobs"
        f" share the cores (load {load:.1f} before the run)"
    )
