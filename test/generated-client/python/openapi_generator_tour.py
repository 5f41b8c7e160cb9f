"""The program of an integrator whose client openapi-generator wrote: BASE_URL ACCESS_TOKEN REPORT."""

import json
import sys
import time

from openapi_client import ApiClient, Configuration, FindingsApi, FindingsImport, FindingUpdate, ImportApi, TasksApi

base_url, token, report = sys.argv[1:]

with ApiClient(Configuration(host=base_url, access_token=token)) as client:
    with open(report, encoding="utf8") as file:
        queued = ImportApi(client).import_findings(findings_import=FindingsImport.from_dict(json.load(file)))
    tasks = TasksApi(client)
    while (task := tasks.get_task(str(queued.task_id)).actual_instance).status in ("queued", "running"):
        time.sleep(0.2)
    created = sum(task.result.by_severity.created.to_dict().values())

    findings = FindingsApi(client)
    page = findings.list_findings(status=["open"], severity=["critical", "high"], paginate_size=10)
    print(f"{created} findings, {page.total_count} of them severe")

    update = FindingUpdate(status="in_progress", tags=["tour"])
    changed = findings.update_finding(str(page.data[0].id), finding_update=update)
    print(f"{changed.status} {' '.join(changed.tags)}")
