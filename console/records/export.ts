import { answerOf } from '../api/client.ts';
import { refusedBy } from '../api/question.ts';
import { isOver, untilOver } from '../api/task.ts';
import { notify } from '../parts/toasts.tsx';
import { texts } from '../texts.ts';

type Exported = { taskId: string; status: string; file?: { url: string } | null };
type Request = Parameters<typeof answerOf<Exported>>[0];

/** The parameters of the list, which the service reads and checks in a body too. */
type Filter = Record<string, never>;

/** An export of all records of a list as CSV. */
export type ExportKind = {
  start: (filter: Filter, waitSeconds: number) => Request;
  read: (taskId: string, waitSeconds: number) => Request;
};

const WAIT_SECONDS = 20;

function filterOf(search: string): Filter {
  const { sort: _order, ...parameters } = Object.fromEntries(new URLSearchParams(search));
  return JSON.parse(JSON.stringify(parameters));
}

/** Writes what the list shows to a file, and opens the file for the browser to keep. */
export async function exportList({ start, read }: ExportKind, search: string): Promise<void> {
  try {
    notify(texts.list.exporting);
    const started = await answerOf(start(filterOf(search), WAIT_SECONDS));
    const again = () => answerOf(read(started.taskId, WAIT_SECONDS));
    const { file } = isOver(started) ? started : await untilOver(again);
    if (file) location.assign(file.url);
    else notify(texts.list.notExported, { isError: true });
  } catch (error) {
    notify(refusedBy(error).message, { isError: true });
  }
}
