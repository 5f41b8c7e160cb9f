import { applications } from '#shared/exposure/applications/application.ts';
import { assess, countControls } from '#shared/exposure/compliance/assess.ts';
import { type AssetGroup, type Counted, readCounted } from '#shared/exposure/compliance/counted.ts';
import type { Control, Framework } from '#shared/exposure/compliance/framework.ts';
import { frameworks } from '#shared/exposure/compliance/frameworks.ts';
import { controlLists } from '#shared/exposure/compliance/summary.ts';
import { listed, withLists } from '#shared/platform/http/figures.ts';
import { pageOfArray } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { invalid, notFound } from '#shared/platform/runtime/errors.ts';
import { given } from '#shared/platform/runtime/given.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { AssetType } from '#shared/reports/report/asset-type.ts';
import { evidenceOf } from './evidence.ts';
import { groupOf } from './group.ts';
import type { ControlAssessment } from './records.ts';
import type { complianceRoutes } from './routes.ts';

export const complianceHandlers: Handlers<typeof complianceRoutes> = {
  async listFrameworks({ table, caller, query }) {
    const group = await groupOf({ table, caller }, query);
    const counted = await countedIn(table, group);
    return frameworks().map((one) => frameworkView(one, counted, group));
  },
  async getFramework({ table, caller, params, query }) {
    const framework = findFramework(params.frameworkId);
    const group = await groupOf({ table, caller }, query);
    return frameworkView(framework, await countedIn(table, group), group);
  },
  async listControls({ table, caller, query }) {
    const { framework, status, exceptionsOnly, search = '', paginateFrom, paginateSize, ...group } = query;
    const asked = framework ? framework.map((id) => findFramework(id, 'framework')) : frameworks();
    const counted = await countedIn(table, await groupOf({ table, caller }, group));
    const words = search.toLowerCase().split(/\s+/);
    const hasWords = ({ control, title }: Control) => {
      const text = `${control} ${title}`.toLowerCase();
      return words.every((word) => text.includes(word));
    };
    const all = asked.flatMap((one) =>
      one.controls.filter(hasWords).map((control) => controlView(one, control, counted)),
    );
    const wanted = all.filter(
      (one) => (!status || status.includes(one.status)) && (!exceptionsOnly || one.exceptionsOnly),
    );
    return pageOfArray(wanted, { paginateFrom, paginateSize });
  },
  async getControl({ connections, table, caller, params, query }) {
    const { framework, control } = findControl(params.controlId);
    const group = await groupOf({ table, caller }, query);
    const counted = await countedIn(table, group);
    const evidence = await evidenceOf({ connections, table }, { framework, control, group });
    return { ...controlView(framework, control, counted), ...evidence, asOf: now() };
  },
};

/** @throws not_found for an application of another organization */
async function countedIn(table: Table, group: AssetGroup): Promise<Counted> {
  const [counted] = await Promise.all([
    readCounted(table, group),
    group.applicationId === undefined ? undefined : table.get(applications, group.applicationId),
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

function frameworkView(framework: Framework, counted: Counted, group: AssetGroup) {
  const { id, name, version, publisher, source, comparedWith, scope } = framework;
  const all = framework.controls.map((control) => controlView(framework, control, counted));
  const { exceptionsOnly, ...lists } = controlLists({ framework: id, ...given(group) });
  const figures = {
    id,
    name,
    version,
    publisher,
    source,
    comparedWith,
    scope,
    ...countControls(all.map(({ status }) => status)),
    exceptionsOnly: all.filter((one) => one.exceptionsOnly).length,
    assets: [...counted.types].flatMap(([type, count]) => (count > 0 ? [assetsOfType(type, count, group)] : [])),
    asOf: now(),
  };
  return withLists(figures, { ...lists, exceptionsOnly });
}

function assetsOfType(type: AssetType, count: number, { zone, applicationId }: AssetGroup) {
  const place = listed('/api/v1/assets', { filter: 'retired:false', type, ...given({ zone, applicationId }) });
  return withLists({ type, count }, { count: place });
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
