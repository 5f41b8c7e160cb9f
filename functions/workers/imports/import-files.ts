import { taskFiles } from '#shared/ingest/submission.ts';
import { taskFolder } from '#shared/platform/jobs/task-files.ts';

/** The places of an import's files in the bucket, with those that only this worker reads. */
export function importFiles(organizationId: string, taskId: string) {
  const folder = taskFolder(organizationId, taskId);
  return {
    ...taskFiles(organizationId, taskId),
    facts: `${folder}/facts.json`,
    /** The findings that continue under other identities, while the import runs. */
    carried: `${folder}/carried.json`,
    /** The assets on which it is noted as the last look of its tools. */
    looked: `${folder}/looked.json`,
    /** The statements of a VEX document, and the id under which it decides. */
    stated: `${folder}/stated`,
    statedBy: `${folder}/stated-by.json`,
  };
}
