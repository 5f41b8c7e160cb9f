import { readFile, statfs } from 'node:fs/promises';
import { cpus, freemem, totalmem } from 'node:os';
import { absent } from '../reference-machine/absent.ts';

/** The resources of a host. A value is null if the system cannot measure it, or before the second measurement. */
export type Sample = {
  at: string;
  cpuPercent: number | null;
  memoryPercent: number | null;
  diskPercent: number | null;
  rxBytes: number | null;
  txBytes: number | null;
};

/** The counters that grow from one measurement to the next. */
type Counters = { busyMs: number; totalMs: number; traffic?: Traffic };
type Traffic = { rxBytes: number; txBytes: number };

/** @returns a function that takes a sample each time */
export function openSampler(): () => Promise<Sample> {
  let before: Counters | undefined;
  return async () => {
    const counters = { ...processorTime(), traffic: await readTraffic() };
    const grown = growth(before, counters);
    before = counters;
    return { at: new Date().toISOString(), ...grown, memoryPercent: await readMemory(), diskPercent: await readDisk() };
  };
}

/** A counter that shrank was reset by a restart, or an interface has disappeared. */
export function growth(before: Counters | undefined, { busyMs, totalMs, traffic }: Counters) {
  const elapsed = before && totalMs - before.totalMs;
  const grown = (name: keyof Traffic) => {
    if (!traffic || !before?.traffic) return null;
    const bytes = traffic[name] - before.traffic[name];
    return bytes < 0 ? null : bytes;
  };
  const cpuPercent = before && elapsed && elapsed > 0 ? percent(busyMs - before.busyMs, elapsed) : null;
  return { cpuPercent, rxBytes: grown('rxBytes'), txBytes: grown('txBytes') };
}

const percent = (part: number, whole: number): number =>
  Math.round(Math.min(Math.max(part / whole, 0), 1) * 10_000) / 100;

function processorTime() {
  const times = cpus().map(({ times: { user, nice, sys, irq, idle } }) => ({ busy: user + nice + sys + irq, idle }));
  const busyMs = times.reduce((sum, { busy }) => sum + busy, 0);
  return { busyMs, totalMs: times.reduce((sum, { idle }) => sum + idle, busyMs) };
}

/** The memory that Linux can give to programs without swapping; on other systems the free memory. */
async function readMemory(): Promise<number> {
  const text = await readFile('/proc/meminfo', 'utf8').catch(absent);
  const available = /^MemAvailable:\s+(\d+) kB$/m.exec(text ?? '')?.[1];
  const free = available === undefined ? freemem() : Number(available) * 1024;
  return percent(totalmem() - free, totalmem());
}

/** The root file system, counted like df: blocks that are reserved for root count as used. */
async function readDisk(): Promise<number | null> {
  const { blocks, bfree, bavail } = await statfs('/');
  const used = blocks - bfree;
  return used + bavail > 0 ? percent(used, used + bavail) : null;
}

async function readTraffic(): Promise<Traffic | undefined> {
  const text = await readFile('/proc/net/dev', 'utf8').catch(absent);
  return text === undefined ? undefined : parseTraffic(text);
}

/** Interfaces whose traffic never leaves the host or is also counted at another interface. */
const inner = /^(lo|veth.*|docker\d+|br-.*|virbr.*|cni\d+|tun\d+|tap\d+|wg\d+)$/;

/** proc_net_dev(5): the name, eight numbers of received traffic, eight of sent traffic; bytes are the first of each. */
export function parseTraffic(text: string): Traffic {
  const lines = [...text.matchAll(/^[ \t]*([^\s:]+):[ \t]*(.+)$/gm)].filter(([, name = '']) => !inner.test(name));
  const numbers = lines.map(([, , rest = '']) => rest.trim().split(/\s+/).map(Number));
  const sum = (column: number) => numbers.reduce((total, one) => total + (one[column] ?? 0), 0);
  return { rxBytes: sum(0), txBytes: sum(8) };
}
