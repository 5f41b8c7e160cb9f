import { CfnResource, NestedStack, type Stack } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { jobs } from '#shared/platform/jobs/jobs.ts';
import { allowGateway } from './allow-gateway.ts';
import { type Api, AREA_TIMEOUT_SECONDS } from './api.ts';
import type { Deployment } from './deployment.ts';
import { addSchedules, feed } from './event-sources.ts';
import { addFunction, type FunctionContext } from './functions.ts';
import { addReleases, addReleasing, type Releasing } from './releases.ts';
import { areaFunction, type Service, scheduleFunction, workerFunction } from './service.ts';

/** Lambda gives processor time by memory: with this size a cold start does not wait for the processor. */
const AREA_MEMORY_MEGABYTES = 1024;
const SCHEDULE_TIMEOUT_SECONDS = 300;
const SCHEDULE_MEMORY_MEGABYTES = 512;

type Parts = { service: Service; api: Api; alarms: readonly IAlarm[]; context: FunctionContext };

/**
 * Adds the functions: a nested stack for the areas of each wing, and one for workers and schedules (docs/decisions/0069-nested-stacks.md).
 * A function is there with its role, log group, permissions and event sources. The parent refers to nothing in a nested
 * stack: alarms, the dashboard and the API name functions.
 */
export function addWings(parent: Stack, { service, api, alarms, context }: Parts): void {
  const { deployment } = context;
  const { areas, workers, schedules } = withoutMoving(service, deployment);
  const releasing = addReleasing(parent, deployment, { callers: api.callers, alarms });
  for (const [wing, ofWing] of Map.groupBy(areas, (area) => area.wing))
    addAreas(nest(parent, wing), ofWing, { context, api, releasing });
  if (workers.length + schedules.length > 0) addWork(nest(parent, 'workers'), { workers, schedules }, context);
}

/** The service without the functions that this deployment leaves out. */
function withoutMoving({ areas, workers, schedules }: Service, { leavesOut = [] }: Deployment): Service {
  return {
    areas: areas.filter((area) => !leavesOut.includes(areaFunction(area).name)),
    workers: workers.filter((worker) => !leavesOut.includes(workerFunction(worker).name)),
    schedules: schedules.filter((schedule) => !leavesOut.includes(scheduleFunction(schedule).name)),
  };
}

function nest(parent: Stack, wing: string): NestedStack {
  const nested = new NestedStack(parent, `Wing-${wing}`, { description: `Functions of ${wing}` });
  const resource = nested.nestedStackResource;
  if (CfnResource.isCfnResource(resource)) resource.overrideLogicalId(`${wing}Functions`);
  return nested;
}

type AreaParts = { context: FunctionContext; api: Api; releasing: Releasing | undefined };

function addAreas(scope: NestedStack, areas: Service['areas'], { context, api, releasing }: AreaParts): void {
  const size = { timeoutSeconds: AREA_TIMEOUT_SECONDS, memoryMegabytes: AREA_MEMORY_MEGABYTES };
  const targets = areas.map((area) => {
    const target = addFunction(scope, context, { source: areaFunction(area), ...size });
    allowGateway(target, 'Permission', { functionArn: target.functionArn, callers: api.callers });
    return target;
  });
  if (releasing) addReleases(scope, releasing, targets);
}

type Work = Pick<Service, 'workers' | 'schedules'>;

function addWork(scope: NestedStack, { workers, schedules }: Work, context: FunctionContext): void {
  for (const worker of workers) {
    const { timeoutSeconds, memoryMegabytes } = jobs[worker.job];
    const size = { timeoutSeconds, memoryMegabytes };
    const target = addFunction(scope, context, { source: workerFunction(worker), ...size, consumes: worker.job });
    for (const queue of context.resources.queues) if (queue.job === worker.job) feed(target, queue);
  }
  const scheduled = schedules.map((schedule) => {
    const { memoryMegabytes = SCHEDULE_MEMORY_MEGABYTES } = schedule;
    const size = { timeoutSeconds: SCHEDULE_TIMEOUT_SECONDS, memoryMegabytes };
    const target = addFunction(scope, context, { source: scheduleFunction(schedule), ...size });
    return { schedule, function: target };
  });
  addSchedules(scope, context.deployment, scheduled);
}
