import * as z from 'zod';
import { targetOf } from '#shared/assets/targets/named.ts';
import { HELD_FROM } from '#shared/findings/closing/limits.ts';
import { Gate, readyGate } from '#shared/findings/gate/gate.ts';
import { acceptReport, INGEST_OPERATION } from '#shared/ingest/accept.ts';
import type { Scan, Submission } from '#shared/ingest/submission.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { isFinished } from '#shared/platform/jobs/task.ts';
import { answerWithin, type WaitedResponse, waitForTask } from '#shared/platform/jobs/wait.ts';
import { conflict, invalid, notFound } from '#shared/platform/runtime/errors.ts';
import { IncompleteReason } from '#shared/reports/report/gap.ts';
import { tableOfFindings } from '#shared/scanning/engagements/assigned.ts';
import { atItsAddress } from './at-its-address.ts';
import { confirmHeld } from './confirm.ts';
import { gateOf } from './gate.ts';
import { listImports } from './history.ts';
import { assertMayAsk, ofCaller } from './of-caller.ts';
import { assertMayChange, ofPart } from './of-part.ts';
import type { FindingsImport, importRoutes } from './routes.ts';
import { queueUndo } from './undo.ts';

export const importHandlers: Handlers<typeof importRoutes> = {
  async importFindings({ connections, table: own, caller, body, query }) {
    const asked = body.gate && (await readyGate({ table: own, caller }, body.gate, 'gate.'));
    const table = await tableOfFindings(own, caller, body.engagementId);
    const submission = await ofPart(table, ofCaller(caller, await atItsAddress(table, submissionOf(body))));
    const queued = await acceptReport(
      { connections, table },
      { ...submission, build: buildOf(body, submission), caller: own },
    );
    const answer = await answerWithin(table, queued, query.waitSeconds);
    const gate = asked && answer.task && (await gateOf({ connections, table }, answer.task, asked));
    const stated = Stated.safeParse(answer.task?.result).data?.vex;
    const isNamed = submission.target !== undefined || (stated && answer.task?.progress.done === 0);
    const warnings = [
      ...(isNamed ? [] : [NO_TARGET]),
      ...heldIn(answer),
      ...incompleteIn(answer),
      ...(stated ? statedIn(stated) : []),
      ...defaultIn(answer),
    ];
    return { ...answer, ...(gate && { gate }), ...(warnings.length > 0 && { warnings }) };
  },

  async judgeImport({ connections, table, caller, params, query }) {
    const { waitSeconds, ...asked } = query;
    const gate = await readyGate({ table, caller }, Gate.parse(asked));
    const task = await waitForTask(table, params.taskId, waitSeconds);
    if (task?.operation !== INGEST_OPERATION) throw notFound('import', params.taskId);
    await assertMayAsk({ connections, table, caller }, task.id);
    if (!isFinished(task)) throw conflict(`The import is still ${task.status}: ask again, with waitSeconds.`);
    return gateOf({ connections, table }, task, gate);
  },

  async confirmHeldClosing({ connections, table, params }) {
    await assertMayChange(table, params.taskId);
    return confirmHeld({ connections, table }, params.taskId);
  },

  listImports: ({ query, ...at }) => listImports(at, query),

  async undoImport({ connections, table, params, query }) {
    await assertMayChange(table, params.taskId);
    return answerWithin(table, await queueUndo({ connections, table }, params.taskId), query.waitSeconds);
  },
};

const NO_TARGET =
  'The import names no target: nothing is closed, and findings that name no asset lie on the application unnamed. Send ' +
  'target or repository.';

const Stated = z.object({
  vex: z.object({ author: z.string(), statements: z.int(), named: z.int(), unproven: z.int(), outdated: z.boolean() }),
});

/** The reasons why a document about exploitability (VEX) decided on nothing, or on less than its sender may expect. */
function statedIn({ author, statements, named, unproven, outdated }: z.infer<typeof Stated>['vex']): string[] {
  if (outdated)
    return [`A later version of this VEX document of ${author} was imported before: this version changes nothing.`];
  if (named === 0)
    return [
      `None of the ${statements} statements of the VEX document of ${author} names a finding here. A statement names a finding by its vulnerability and ` +
        'by a package URL, an image or a repository. Send the asset that the document is about as target or repository.',
    ];
  if (unproven === 0) return [];
  return [
    `${unproven} findings stay open: the VEX document of ${author} calls them fixed, but not in the version that was found, or names only one of ` +
      'their vulnerabilities. A scan closes them once they are gone.',
  ];
}

const DefaultUnknown = z.object({ defaultUnknown: z.literal(true) });

/** Otherwise the job of a first pull request fails for everything, and lists lack the findings of a default branch of a rare name. */
function defaultIn({ task }: Pick<z.infer<typeof WaitedResponse>, 'task'>): string[] {
  if (!DefaultUnknown.safeParse(task?.result).success) return [];
  return [
    'The default branch of the repository is not known, so everything is new, and lists without ref lack these findings: send a report of the ' +
      'default branch, with its name also as baseRef, or make a branch the default with PATCH /api/v1/scanned-branches/{id}.',
  ];
}

const Incomplete = z.object({ incomplete: z.array(IncompleteReason) });

/** An inventory closes nothing by its nature: that is no mistake of the sender. */
function incompleteIn({ task }: Pick<z.infer<typeof WaitedResponse>, 'task'>): string[] {
  const { data } = Incomplete.safeParse(task?.result);
  const reasons = (data?.incomplete ?? []).filter(({ code }) => code !== 'no_scan');
  return reasons.map(({ message, partly }) =>
    partly ? message : `The report is incomplete and closes nothing: ${message}`,
  );
}

const Held = z.object({ held: z.object({ count: z.int(), open: z.int(), apart: z.boolean().optional() }) });

/** Otherwise a job whose log shows the answer reports findings as open that no longer exist. */
function heldIn({ taskId, task }: Pick<z.infer<typeof WaitedResponse>, 'taskId' | 'task'>): string[] {
  const { data } = Held.safeParse(task?.result);
  if (!data) return [];
  const { count, open, apart } = data.held;
  const confirm = `POST /api/v1/findings/imports/${taskId}/confirm`;
  if (apart)
    return [
      `The report has no file in the folders of ${count} findings that an earlier report of the same target had, and no finding in common with that ` +
        `report: it may be of another part of the repository. Send part, such as part=apps/api, with the reports of each part. These findings close ` +
        `only after someone confirms that they are gone: ${confirm}.`,
    ];
  return [
    `The report lacks ${count} of the ${open} open findings of its scan scope. More than half of them, and at least ${HELD_FROM}, close only ` +
      `after someone confirms that they are gone: ${confirm}.`,
  ];
}

function submissionOf(body: FindingsImport): Submission {
  const { format, scanType, part, ref, baseRef, commit, closeMissing, engagementId } = body;
  const { zone, ...target } = targetAndZone(body);
  const scan = { ...target, zone, scanType, part, ref, baseRef, commit, closeMissing, engagementId };
  return { source: 'import', format, report: reportOf(body), ...scan };
}

/** @throws validation_failed for a build without its repository */
function buildOf({ buildId, repository }: FindingsImport, { target }: Submission): Submission['build'] {
  if (buildId === undefined) return undefined;
  const of = repository ?? (target?.type === 'repository' ? target.value : undefined);
  if (of === undefined) throw invalid('repository', 'must be the repository of the build that buildId names');
  return { id: buildId, repository: of };
}

function reportOf({ content, uploadId, encoding }: FindingsImport): Submission['report'] {
  if (content !== undefined && uploadId === undefined) return { content, encoding };
  if (content !== undefined) throw invalid('content', 'send either content or uploadId, not both');
  if (uploadId === undefined)
    throw invalid(
      'content',
      'send the report as the body, in content, or as uploadId. The body was empty: look for the file of the report',
    );
  if (encoding === 'utf8') return { uploadId };
  throw invalid(
    'encoding',
    'must be utf8 or absent with uploadId: an upload holds the file itself, packed with gzip or not',
  );
}

function targetAndZone({ target, repository }: FindingsImport): Pick<Scan, 'target' | 'zone'> {
  if (target) return { target: targetOf(target), zone: typeof target === 'string' ? undefined : target.zone };
  return repository ? { target: targetOf({ type: 'repository', value: repository }) } : {};
}
