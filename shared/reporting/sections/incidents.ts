import { alerts } from '#shared/soc/alerts/alert.ts';
import { INCIDENT_STATUSES, isOpenIncident } from '#shared/soc/alerts/soc-status.ts';
import { incidents as incidentRecords } from '#shared/soc/incidents/incident.ts';
import { type Counting, countOf } from '../counting.ts';
import { meanTimesOf } from '../figures/mean-times.ts';
import { defineSection } from '../section.ts';

/** A role for a part of the organization sees no incidents: they concern assets of several parts. */
async function gather(counting: Counting) {
  const { table, since } = counting;
  if (table.part) return null;
  const open = INCIDENT_STATUSES.filter(isOpenIncident).join();
  const [opened, inPeriod, alertTimes, incidentTimes] = await Promise.all([
    countOf(counting, 'incident', `status:${open}`),
    countOf(counting, 'incident', `detected>=${since}`),
    meanTimesOf(table, alerts, { also: ['detect'] }),
    meanTimesOf(table, incidentRecords, { also: ['contain'] }),
  ]);
  return {
    open: opened,
    inPeriod,
    detectSeconds: alertTimes.timeToDetect?.meanSeconds ?? null,
    containSeconds: incidentTimes.timeToContain?.meanSeconds ?? null,
    resolveSeconds: incidentTimes.timeToRemediate?.meanSeconds ?? null,
  };
}

const HOUR = 3600;

/** Incidents with the mean times to detect, contain and resolve them, of three months as the dashboards have them. */
export const incidents = defineSection<Awaited<ReturnType<typeof gather>>>({
  title: 'incidents',
  gather,
  figures: (facts, page) => [
    [page.say('detected'), facts?.inPeriod],
    [page.say('stillOpen'), facts?.open],
  ],
  blocks: (facts, page) => {
    if (facts === null) return [{ block: 'text', text: page.say('notSeen') }];
    const hours = (seconds: number | null) =>
      seconds === null ? page.say('unknown') : page.say('hours', { n: page.number(Math.round(seconds / HOUR)) });
    const { open, inPeriod, detectSeconds, containSeconds, resolveSeconds } = facts;
    const isTimed = [detectSeconds, containSeconds, resolveSeconds].some((seconds) => seconds !== null);
    return [
      {
        block: 'text',
        text: page.say(isTimed ? 'incidentsText' : 'incidentsUntimed', {
          open: page.number(open.value),
          n: page.number(inPeriod.value),
          detect: hours(detectSeconds),
          contain: hours(containSeconds),
          resolve: hours(resolveSeconds),
        }),
      },
    ];
  },
});
