"""`--scale paper`: the commands and configurations for the paper's own tasks, to be run on eight GPUs."""

import dataclasses
import shutil
from pathlib import Path

from editmt.errors import InputError
from editmt.experiments.places import Places
from editmt.experiments.plan import Planner
from editmt.experiments.runner import write_commands
from editmt.experiments.task import ROLES, ModelConfigs, Task, find_task, read_task

CONFIGS = "configs"


def find_paper_task(task: Task) -> Task:
    """Return the task of the paper's size that belongs to a small one, or is meant itself."""
    if task.scale == "paper":
        return task
    if not task.paper_task:
        raise InputError(f"task {task.name}: the paper has no such task (paper_task is not given)")
    return dataclasses.replace(read_task(find_task(task.paper_task)), mirror=task.mirror)


def write_paper_scale(task: Task) -> Path:
    """Write `commands.sh` and the configurations it names into the task's folder."""
    folder = task.results / CONFIGS
    folder.mkdir(parents=True, exist_ok=True)
    copies = {}
    for role in ROLES:
        given = getattr(task.models, role)
        if given:
            copies[role] = str(shutil.copyfile(given, folder / Path(given).name))
    local = dataclasses.replace(task, models=ModelConfigs(**copies))
    planner = Planner.of(local)
    return write_commands(planner.steps(), Places(local))
