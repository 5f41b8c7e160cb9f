import { assess, countControls } from '#shared/exposure/compliance/assess.ts';
import { readCounted } from '#shared/exposure/compliance/counted.ts';
import { frameworks } from '#shared/exposure/compliance/frameworks.ts';
import { groupInPart } from '#shared/exposure/compliance/part-group.ts';
import { controlLists } from '#shared/exposure/compliance/summary.ts';
import { given } from '#shared/platform/runtime/given.ts';
import type { Counting } from '../counting.ts';
import { defineSection, tableOf } from '../section.ts';

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

/** The state of each framework. */
export const compliance = defineSection<Omit<Awaited<ReturnType<typeof assessed>>[number], 'controls'>[]>({
  title: 'compliance',
  gather: async (counting) => (await assessed(counting)).map(({ controls: _controls, ...framework }) => framework),
  blocks: (facts, page) => [
    tableOf(page, {
      id: 'frameworks',
      title: 'frameworks',
      columns: [
        ['name', 'framework', 0.4],
        ['score', 'score', 0.15, 'right'],
        ['passed', 'passed', 0.15, 'right'],
        ['failed', 'failed', 0.15, 'right'],
        ['notAssessed', 'notAssessed', 0.15, 'right'],
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

/** Each control with its state. */
export const controls = defineSection<Control[]>({
  title: 'controls',
  appendix: true,
  gather: async (counting) =>
    (await assessed(counting)).flatMap(({ name, controls }) =>
      controls.map(({ control, title, status }) => ({ framework: name, control, title, status })),
    ),
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
      rows: facts.map(({ framework, control, title, status }) => [framework, control, title, page.say(status)]),
    }),
  ],
});
