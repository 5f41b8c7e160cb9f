/** Files under this prefix expire by age, whether their task succeeded or not. */
export const TASK_FILES_PREFIX = 'tasks/';

/** The folder of a task's files in the bucket. */
export const taskFolder = (organizationId: string, taskId: string): string =>
  `${TASK_FILES_PREFIX}${organizationId}/${taskId}`;
