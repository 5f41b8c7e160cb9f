import * as z from 'zod';
import { Gate, GateResult } from '#shared/findings/gate/gate.ts';
import { orImporters, reads } from '#shared/platform/auth/access.ts';
import { asParameters } from '#shared/platform/http/parameters.ts';
import { Id, trimmedText } from '#shared/platform/http/records.ts';
import { get } from '#shared/platform/http/route.ts';
import { TASK_STATUSES } from '#shared/platform/jobs/task.ts';
import { WaitSeconds } from '#shared/platform/jobs/wait.ts';

/** A branch, by the names that its imports have. */
export const NamedBranch = z.object({
  repository: z.string().trim().min(1).max(2048).meta({ example: 'https://git.example.com/acme/shop' }),
  ref: z.string().trim().min(1).max(300).meta({ example: 'feature' }),
});

const BuildQuery = z.object({
  buildId: trimmedText(120).meta({ description: 'as the imports of the build have it', example: '8123456789-1' }),
  waitSeconds: WaitSeconds,
  ...asParameters({
    tools: trimmedText(1000).meta({
      description:
        'the tools whose reports the build has, separated by commas: the gate does not pass without one of them',
      example: 'semgrep,trivy',
    }),
    reports: z.int().min(1).max(1000).meta({ description: 'how many reports the build has, at least' }),
    ...Gate.shape,
  }),
});

const BuildGate = GateResult.extend({
  state: z.enum(['passed', 'failed', 'undecided', 'incomplete']).meta({
    description:
      '`undecided`: a report is missing or still worked; `incomplete`: a report is broken, or its scan did not come to its end',
  }),
  reports: z.array(
    z.object({
      taskId: Id,
      status: z.enum(TASK_STATUSES),
      format: z.string().nullable(),
      tools: z.array(z.string()),
      part: z.string().nullable(),
      problem: z.string().nullable().meta({ description: 'why the report proves nothing' }),
    }),
  ),
}).meta({ id: 'BuildGate' });
export type BuildGate = z.infer<typeof BuildGate>;

const judging =
  'Judges the reports that were imported with this `buildId` together; of a tool that ran again the last report counts. `passed` is true only ' +
  'in the `state` `passed`: not while a report of `tools` or `reports` is missing or still worked (the answer waits for up to `waitSeconds`), ' +
  'and not where a report could not be read, is incomplete or was undone. `reasons` says why. Findings that a person has triaged meanwhile no ' +
  'longer fail the gate. Somebody with a role for a part of the organization asks about a repository of the part.';

export const gateRoutes = {
  judgeBuild: get('/api/v1/scanned-branches/{id}/gate', {
    summary: 'Check whether a build of a branch passes a gate',
    description: judging,
    access: orImporters(reads('findings:read')),
    inPart: 'seen',
    query: BuildQuery,
    response: BuildGate,
  }),
  judgeNamedBuild: get('/api/v1/scanned-branches/gate', {
    summary: 'Check whether a build passes a gate, by the repository and the branch',
    description: `For a CI job, with the \`repository\` and the \`ref\` that its imports had. ${judging}`,
    access: orImporters(reads('findings:read')),
    inPart: 'seen',
    query: NamedBranch.extend(BuildQuery.shape),
    response: BuildGate,
  }),
} as const;
