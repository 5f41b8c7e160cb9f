import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { openIdentity } from '../reference-machine/identity.ts';
import { type Installation, type Kind, linkOnce } from '../reference-machine/link.ts';
import { pause, repeat } from '../reference-machine/repeat.ts';
import { openService, type Service } from '../reference-machine/service.ts';
import { describeHost, type Family, family, type Host } from './host.ts';
import { openSampler, type Sample } from './samples.ts';
import { listSoftware, type Software } from './software.ts';

type AgentOptions = Installation & { stateDirectory: string };

type Loop = {
  service: Service;
  take: () => Promise<Sample>;
  /** Samples that the service has not confirmed. Samples that are left when the agent ends are lost. */
  samples: Sample[];
  nextReportSeconds: number;
  /** The software that was reported last, and the time to look again. */
  told?: string;
  lookAt: number;
};

const ReportAnswer = z.object({ softwareWanted: z.boolean(), nextReportSeconds: z.number() });

const version = '1.0.0';
const sampleSeconds = 60;
/** The interval before the service sets one; it is short, because rates need two measurements. */
const soon = 10;
const softwareSeconds = 600;
/** The limit of samples in a report; they cover a day without the service. */
const mostSamples = 1_440;

/**
 * Links once, then measures and reports until `stopping` is aborted.
 * @throws Refused with status 401 when the agent was removed or its credential revoked
 */
export async function runAgent(options: AgentOptions, stopping: AbortSignal): Promise<void> {
  const identity = openIdentity(join(options.stateDirectory, 'agent.json'));
  const linked = await linkOnce({ installation: options, kind: agentKind(await describeHost()), identity }, stopping);
  if (!linked) return;
  const service = openService(options.url, () => linked);
  const take = openSampler();
  const loop: Loop = { service, take, samples: [await take()], nextReportSeconds: soon, lookAt: 0 };
  console.log(`agent ${linked.id} reports to ${options.url}`);
  const ending = new AbortController();
  const until = AbortSignal.any([stopping, ending.signal]);
  const measuring = repeat(() => measure(loop, until), until);
  try {
    await repeat(() => report(loop, until), until);
  } finally {
    ending.abort();
    await measuring;
  }
  console.log('stopped');
}

const paths: Record<Family | 'other', string> = {
  linux: '/api/v1/linux_agent/link',
  windows: '/api/v1/windows_agent/link',
  macos: '/api/v1/macos_agent/link',
  other: '/api/v1/agent/link',
};

const agentKind = (host: Host): Kind => ({ name: 'agent', path: paths[family() ?? 'other'], version, about: host });

/** Measures also while the service cannot be reached, so that its history has no gap. */
async function measure(loop: Loop, until: AbortSignal): Promise<void> {
  await pause(Math.min(sampleSeconds, loop.nextReportSeconds), until);
  if (until.aborted) return;
  loop.samples = [...loop.samples, await loop.take()].slice(-mostSamples);
}

/** Sends the whole host each time; unchanged data costs the service nothing. */
async function report(loop: Loop, until: AbortSignal): Promise<void> {
  const { samples } = loop;
  const { machineId: _, ...host } = await describeHost();
  const news = await newSoftware(loop);
  const body = { version, ...host, software: news?.software, samples };
  const answer = ReportAnswer.parse(await loop.service.post('/api/v1/agent/report', body, until));
  loop.samples = loop.samples.filter((sample) => !samples.includes(sample));
  loop.nextReportSeconds = answer.nextReportSeconds;
  if (news) loop.told = news.digest;
  if (answer.softwareWanted) Object.assign(loop, { told: undefined, lookAt: 0 });
  await pause(answer.nextReportSeconds, until);
}

type News = { software: Software[]; digest: string };

/** The software if it has changed since the last report. Looking starts a process and is done only now and then. */
async function newSoftware(loop: Loop): Promise<News | undefined> {
  if (Date.now() < loop.lookAt) return undefined;
  const software = await listSoftware();
  loop.lookAt = Date.now() + softwareSeconds * 1000;
  if (!software) return undefined;
  const digest = createHash('sha256').update(JSON.stringify(software)).digest('hex');
  return digest === loop.told ? undefined : { software, digest };
}
