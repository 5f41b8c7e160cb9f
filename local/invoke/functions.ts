import type { Context } from 'aws-lambda';
import { areaFunction, scheduleFunction, service, workerFunction } from '#infra/service.ts';
import { jobs } from '#shared/platform/jobs/jobs.ts';
import { lambdaContext } from '../lambda-context.ts';
import { Mistake } from '../mistake.ts';
import { localArea } from '../reference.ts';

/** A handler of any event; the file of the event decides the sort. */
type Invocation = (event: never, context: Context) => Promise<unknown>;
type Loadable = { timeoutSeconds: number; needs?: EventField; load: () => Promise<{ handler: Invocation }> };
/** A field of each event of a function. */
type EventField = 'requestContext' | 'Records';

const requestSeconds = 29;
const scheduleSeconds = 300;

/** Every Lambda by its name in the stack. */
export const functions: ReadonlyMap<string, Loadable> = new Map<string, Loadable>([
  ...service.areas.map((area): [string, Loadable] => [
    areaFunction(area).name,
    { timeoutSeconds: requestSeconds, needs: 'requestContext', load: localArea(area).load },
  ]),
  ...service.workers.map((worker): [string, Loadable] => [
    workerFunction(worker).name,
    { timeoutSeconds: jobs[worker.job].timeoutSeconds, needs: 'Records', load: worker.load },
  ]),
  ...service.schedules.map((schedule): [string, Loadable] => [
    scheduleFunction(schedule).name,
    { timeoutSeconds: scheduleSeconds, load: schedule.load },
  ]),
]);

/** Runs a function in this process, with the engines that the environment names. */
export async function invoke(name: string, event: unknown): Promise<unknown> {
  const found = functions.get(name);
  if (!found) throw new Mistake(`There is no function ${name}.`);
  const { needs } = found;
  if (needs !== undefined && !(event instanceof Object && needs in event))
    throw new Mistake(`An event of the function ${name} has ${needs}: see events/.`);
  const { handler } = await found.load();
  return Reflect.apply(handler, undefined, [event, lambdaContext(name, found.timeoutSeconds)]);
}
