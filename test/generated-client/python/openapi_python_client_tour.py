"""The program of an integrator whose client openapi-python-client wrote: BASE_URL ACCESS_TOKEN REPORT."""

import json
import sys
import time

from exposure_client.api.findings import list_findings, update_finding
from exposure_client.api.import_ import import_findings
from exposure_client.api.tasks import get_task
from exposure_client.client import AuthenticatedClient
from exposure_client.models import FindingsImport, FindingUpdate, FindingUpdateStatus
from exposure_client.models import ListFindingsSeverityItem, ListFindingsStatusItem

base_url, token, report = sys.argv[1:]

with AuthenticatedClient(base_url=base_url, token=token, raise_on_unexpected_status=True) as client:
    with open(report, encoding="utf8") as file:
        queued = import_findings.sync(client=client, body=FindingsImport.from_dict(json.load(file)))
    while (task := get_task.sync(str(queued.task_id), client=client)).status in ("queued", "running"):
        time.sleep(0.2)
    created = sum(task.result.by_severity.created.to_dict().values())

    severe = [ListFindingsSeverityItem.CRITICAL, ListFindingsSeverityItem.HIGH]
    opened = [ListFindingsStatusItem.OPEN]
    page = list_findings.sync(client=client, status=opened, severity=severe, paginate_size=10)
    print(f"{created} findings, {page.total_count} of them severe")

    update = FindingUpdate(status=FindingUpdateStatus.IN_PROGRESS, tags=["tour"])
    changed = update_finding.sync(str(page.data[0].id), client=client, body=update)
    print(f"{changed.status} {' '.join(changed.tags)}")
