"""The sentences of verbs that random programs say too: written by the model, read by the steps."""

from __future__ import annotations

from batchproof.judgement.template import Template

JOB_IS = Template("{job:a_volcano_job}")
JOB_DELETED = Template("the user deletes the Volcano Job")
TASK_CHANGED = Template("the user changes task {task:task_name} to {count:d} [pod|pods]{minimum:and_minimum}")
PODS_DELETED = Template("the user deletes {count:d} [pod|pods] of {task:its_task}")
PODS_RUN = Template("{count:d} [pod|pods] of {task:its_task} [count?runs|run]")
PODS_SUCCEED = Template("{count:d} [pod|pods] of {task:its_task} [count?succeeds|succeed]")
PODS_FAIL = Template("{count:d} [pod|pods] of {task:its_task} [count?fails|fail]{exit_code:exit_code}")
ENDED_VANISHES = Template("the user makes a pod of the Volcano Job vanish that has {outcome:outcome}")
COMMANDED = Template("the user commands {action:word}")
ALL_LET_IN = Template("the scheduler admits every PodGroup")
