import { assess, countControls } from '#shared/exposure/compliance/assess.ts';
import { readCounted } from '#shared/exposure/compliance/counted.ts';
import { frameworks } from '#shared/exposure/compliance/frameworks.ts';
import { groupInPart } from '#shared/exposure/compliance/part-group.ts';
import { controlLists } from '#shared/exposure/compliance/summary.ts';
import { given } from '#shared/platform/runtime/given.ts';
import type { Counting } from '../counting.ts';
import type { Cell } from '../document.ts';
import { defineSection, type Page, tableOf } from '../section.ts';

/** The frameworks that the report is about, with the state of each control for the assets that it is about. */
async function assessed({ table, report }: Counting) {
  const group = groupInPart(table.part, given({ applicationId: report.applicationId ?? undefined }));
  const counted = await readCounted(table, group);
  const wanted = frameworks().filter(({ id }) => report.framework === null || report.framework === id);
  return wanted.map((framework) => {
    const { id, name, version, controls } = framework;
    const all = controls.map((control) => ({ ...control, status: assess(framework, control, counted).status }));
    const { score, ...counts } = countControls(all.map(({ status }) => status));
    const lists = controlLists({ framework: id, ...given(group) });
    const figure = (status: 'passed' | 'failed' | 'notAssessed') => ({
      value: counts.controls[status],
      list: lists.controls(status),
    });
    const figures = { passed: figure('passed'), failed: figure('failed'), notAssessed: figure('notAssessed') };
    return { ...{ id, name, version, score }, ...figures, controls: all };
  });
}

type State = Omit<Awaited<ReturnType<typeof assessed>>[number], 'controls'>;

/** A sentence on the state of all frameworks. */
function standOf(facts: readonly State[], page: Page): string {
  const known = facts.filter(({ score }) => score !== null);
  const total = (name: 'passed' | 'failed' | 'notAssessed') =>
    known.reduce((sum, { [name]: { value } }) => sum + value, 0);
  if (known.length === 0) return page.say('complianceUnknown', { n: page.number(facts.length) });
  return page.say('complianceText', {
    known: page.number(known.length),
    n: page.number(facts.length),
    passed: page.number(total('passed')),
    failed: page.number(total('failed')),
    rest: page.number(total('notAssessed')),
  });
}

/** The state of each framework. */
export const compliance = defineSection<State[]>({
  title: 'compliance',
  gather: async (counting) => (await assessed(counting)).map(({ controls: _controls, ...framework }) => framework),
  blocks: (facts, page) => [
    { block: 'text', text: standOf(facts, page) },
    tableOf(page, {
      id: 'frameworks',
      title: 'frameworks',
      columns: [
        ['name', 'framework', 0.4],
        ['score', 'passedShare', 0.15, 'right'],
        ['passed', 'passedHead', 0.15, 'right'],
        ['failed', 'failedHead', 0.15, 'right'],
        ['notAssessed', 'notAssessedHead', 0.15, 'right'],
      ],
      rows: facts.map(({ name, version, score, passed, failed, notAssessed }) => [
        `${name} ${version}`,
        score === null ? page.percent(null) : page.percent(score / 100),
        ...[passed, failed, notAssessed].map(({ value, list }) => ({
          text: page.number(value),
          link: page.link(list),
        })),
      ]),
    }),
  ],
});

type Control = { framework: string; control: string; title: string; status: 'passed' | 'failed' | 'notAssessed' };

const SHOWN = 200;
const FIRST: readonly Control['status'][] = ['failed', 'passed'];

const rowOf = ({ framework, control, title, status }: Control, page: Page): Cell[] => [
  ...[framework, control, title],
  page.say(status),
];

const controlsOf = async (counting: Counting): Promise<Control[]> =>
  (await assessed(counting)).flatMap(({ name, version, controls }) =>
    controls.map(({ control, title, status }) => ({ framework: `${name} ${version}`, control, title, status })),
  );

/** Each control with its state: on pages those that are assessed, the failed ones first, and all of them in the files of tables. */
export const controls = defineSection<Control[]>({
  title: 'controls',
  appendix: true,
  gather: controlsOf,
  blocks: (facts, page) => [
    tableOf(page, {
      id: 'controls',
      title: 'controls',
      columns: [
        ['framework', 'framework', 0.22],
        ['control', 'control', 0.14],
        ['title', 'title', 0.46],
        ['status', 'status', 0.18],
      ],
      rows: FIRST.flatMap((status) => facts.filter((one) => one.status === status))
        .slice(0, SHOWN)
        .map((one) => rowOf(one, page)),
      total: facts.length,
      empty: 'noControls',
    }),
    { block: 'text', text: page.say('controlsText') },
  ],
  rows: {
    async *controls(counting, page) {
      for (const one of await controlsOf(counting)) yield rowOf(one, page);
    },
  },
});
