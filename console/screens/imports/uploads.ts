import { signal } from '@preact/signals';
import { answerOf, client } from '../../api/client.ts';
import { askAgain, refusedBy } from '../../api/question.ts';
import { readTask, untilOver } from '../../api/task.ts';
import type { Task } from '../../api/types.ts';
import { texts } from '../../texts.ts';
import { followPack, PACK_FILES, sendPack } from '../detections/pack.tsx';
import { sendReport } from './send.ts';

type Outcome = { created: number; known: number; closed: number };
export type Upload = {
  key: number;
  file: File;
  state: 'reading' | 'sending' | 'queued' | 'running' | 'done' | 'failed';
  /** The part of a large report that the storage has, from 0 to 1. */
  sent?: number;
  progress?: string;
  taskId?: string;
  format?: string;
  warnings?: readonly string[];
  outcome?: Outcome;
  /** The import of the file as a pack of detection rules. */
  rules?: Task;
  error?: string | undefined;
};

/** The uploads of this page, newest first. They go on while the person looks at other screens. */
export const uploads = signal<readonly Upload[]>([]);
/** The object of the reports; the service reads an address, a repository or a host. */
export const target = signal('');
/** Whether the dialog of uploads is open. The page of imports shows them itself. */
export const areUploadsOpen = signal(false);
let last = 0;

export function importFiles(files: readonly File[], scanned = target.value): void {
  areUploadsOpen.value = location.pathname !== '/imports';
  for (const file of files) {
    last += 1;
    const key = last;
    uploads.value = [{ key, file, state: 'reading' }, ...uploads.value];
    failInPlace(key, importFile(key, file, scanned.trim()));
  }
}

const failInPlace = (key: number, work: Promise<void>): void =>
  void work.catch((error: unknown) => change(key, { state: 'failed', error: refusedBy(error).message }));

/** The service knows no report in the file, and its name can be that of a pack of rules. */
export const mayBeRules = ({ state, file, rules }: Upload): boolean =>
  state === 'failed' && !rules && PACK_FILES.split(',').some((ending) => file.name.toLowerCase().endsWith(ending));

export const importRules = ({ key, file }: Upload): void => failInPlace(key, importPack(key, file));

async function importPack(key: number, file: File): Promise<void> {
  change(key, { state: 'sending', error: undefined });
  const taskId = await sendPack(file, { enabled: false, sent: (sent) => change(key, { sent }) });
  await followPack(taskId, (rules) => change(key, { state: 'running', rules }));
  change(key, { state: 'done' });
}

const change = (key: number, changes: Partial<Upload>): void => {
  uploads.value = uploads.value.map((one) => (one.key === key ? { ...one, ...changes } : one));
};

async function importFile(key: number, file: File, scanned: string): Promise<void> {
  const packed = await pack(file);
  change(key, { state: 'sending' });
  const query = scanned === '' ? {} : { target: scanned };
  const { taskId, warnings } = await sendReport(packed, file.name, query, (sent) => change(key, { sent }));
  change(key, { state: 'queued', taskId, warnings });
  const task = await follow(key, taskId);
  if (task.status !== 'succeeded') throw new Error(task.error?.message ?? texts.imports.failed);
  const format = await formatOf(taskId);
  change(key, { state: 'done', format, outcome: outcomeOf(task) });
  askAgain();
}

/** A report as it is sent: most shrink to a tenth. A file that is packed already stays as it is. */
async function pack(file: File): Promise<Blob> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (first === 0x1f && second === 0x8b) return file;
  return new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob();
}

const WAIT_SECONDS = 2;

const follow = (key: number, id: string): Promise<Task> =>
  untilOver(
    () => readTask(id, WAIT_SECONDS),
    ({ status, progress: { done, total, unit } }) => {
      if (status === 'queued' || status === 'running')
        change(key, { state: status, progress: texts.imports.running(done, total, unit) });
    },
  );

/** The kind of the report as the list of imports has it. */
async function formatOf(taskId: string): Promise<string | undefined> {
  const { data } = await answerOf(client.GET('/api/v1/findings/imports', { params: { query: { paginateSize: 50 } } }));
  return data.find((one) => one.taskId === taskId)?.format;
}

function outcomeOf({ result = {} }: Task): Outcome {
  const amount = (name: string) => Number(Reflect.get(result, name) ?? 0);
  return { created: amount('created'), known: amount('updated') + amount('unchanged'), closed: amount('closed') };
}

/** Closes the findings that the report lacked, which a person has now confirmed. @throws Refused */
export async function confirmClosing(taskId: string): Promise<void> {
  const { taskId: id } = await answerOf(
    client.POST('/api/v1/findings/imports/{taskId}/confirm', { params: { path: { taskId } } }),
  );
  await readTask(id, 20);
  askAgain();
}

/** @throws Refused */
export async function undoImport(taskId: string): Promise<void> {
  await answerOf(
    client.POST('/api/v1/findings/imports/{taskId}/undo', {
      params: { path: { taskId }, query: { waitSeconds: 20 } },
    }),
  );
  askAgain();
}
