import { applications } from '#shared/exposure/applications/application.ts';
import { assess, countControls } from '#shared/exposure/compliance/assess.ts';
import { type Counted, readCounted } from '#shared/exposure/compliance/counted.ts';
import type { Control, Framework } from '#shared/exposure/compliance/framework.ts';
import { frameworks } from '#shared/exposure/compliance/frameworks.ts';
import { pageOfArray } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { invalid, notFound } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { evidenceOf } from './evidence.ts';
import type { ControlAssessment } from './records.ts';
import type { complianceRoutes, GroupQuery } from './routes.ts';

export const complianceHandlers: Handlers<typeof complianceRoutes> = {
  async listFrameworks({ table, query }) {
    const counted = await countedIn(table, query);
    return frameworks().map((one) => frameworkView(one, counted));
  },
  async getFramework({ table, params, query }) {
    const framework = findFramework(params.frameworkId);
    return frameworkView(framework, await countedIn(table, query));
  },
  async listControls({ table, query: { framework, status, paginateFrom, paginateSize, ...group } }) {
    const wanted = framework ? framework.map((id) => findFramework(id, 'framework')) : frameworks();
    const counted = await countedIn(table, group);
    const all = wanted.flatMap((one) => one.controls.map((control) => controlView(one, control, counted)));
    const listed = status ? all.filter((one) => status.includes(one.status)) : all;
    return pageOfArray(listed, { paginateFrom, paginateSize });
  },
  async getControl({ connections, table, params, query }) {
    const { framework, control } = findControl(params.controlId);
    const counted = await countedIn(table, query);
    const evidence = await evidenceOf({ connections, table }, { framework, control, group: query });
    return { ...controlView(framework, control, counted), ...evidence, asOf: now() };
  },
};

/** @throws not_found for an application of another organization */
async function countedIn(table: Table, { zone, applicationId, assetType }: GroupQuery): Promise<Counted> {
  if (zone !== undefined && applicationId !== undefined)
    throw invalid('zone', 'cannot be combined with `applicationId`: send one of the two');
  const [counted] = await Promise.all([
    readCounted(table, { zone, applicationId, assetType }),
    applicationId === undefined ? undefined : table.get(applications, applicationId),
  ]);
  return counted;
}

/** @param filter the parameter that names the framework; else the path does */
function findFramework(id: string, filter?: string): Framework {
  const found = frameworks().find((one) => one.id === id);
  if (found) return found;
  const known = frameworks().map((one) => one.id);
  throw filter ? invalid(filter, `must be one of ${known.join(', ')}`) : notFound('framework', id);
}

/** @throws not_found */
function findControl(id: string): { framework: Framework; control: Control } {
  for (const framework of frameworks())
    for (const control of framework.controls) if (idOf(framework, control) === id) return { framework, control };
  throw notFound('control', id);
}

const idOf = (framework: Framework, { control }: Control): string => `${framework.id}:${control}`;

function frameworkView(framework: Framework, counted: Counted) {
  const { id, name, version, publisher, source, comparedWith, scope } = framework;
  const all = framework.controls.map((control) => controlView(framework, control, counted));
  return {
    id,
    name,
    version,
    publisher,
    source,
    comparedWith,
    scope,
    ...countControls(all.map(({ status }) => status)),
    exceptionsOnly: all.filter((one) => one.exceptionsOnly).length,
    assets: [...counted.types].flatMap(([type, count]) => (count > 0 ? [{ type, count }] : [])),
    asOf: now(),
  };
}

function controlView(framework: Framework, control: Control, counted: Counted): ControlAssessment {
  const { status, criteria } = assess(framework, control, counted);
  const { id, name, version } = framework;
  return {
    id: idOf(framework, control),
    framework: { id, name, version },
    control: control.control,
    title: control.title,
    status,
    exceptionsOnly: status === 'failed' && criteria.every(({ openFindings }) => openFindings === 0),
    criteria,
  };
}
