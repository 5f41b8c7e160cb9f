import type { Ink } from '../charts/drawing.ts';
import type { Tone } from '../document.ts';

/** Colours on white, as in `console/style/tokens.css`, and on the dark ground. */
export const COLOURS = {
  critical: ['#b3154a', '#ff6f94'],
  high: ['#e2762a', '#f09a5c'],
  medium: ['#e0b83a', '#e6c34c'],
  low: ['#5b92cd', '#7fb0e6'],
  info: ['#a9b2b2', '#8b979b'],
  good: ['#2f8558', '#5dbd88'],
  bad: ['#b3154a', '#ff6f94'],
  neutral: ['#647174', '#a0abad'],
  ink: ['#171c1d', '#e7ebeb'],
  soft: ['#545d5e', '#a0abad'],
  line: ['#dfe2de', '#2f383b'],
  ground: ['#ffffff', '#14191a'],
} as const satisfies Record<Exclude<Ink, 'brand'>, readonly [light: string, dark: string]>;

/** The ground of tiles and heads of tables. */
export const SUNK = ['#f4f6f5', '#1c2325'] as const;

/** The colour of a change with its sign, because colours alone reach not everybody: a tick, an exclamation mark, a sign of equality. */
export const TONES = {
  better: { ink: 'good', sign: 'M-3.2,0.2L-1,2.6L3.4,-2.4' },
  worse: { ink: 'bad', sign: 'M0,-3.2V0.8M0,2.9V3.1' },
  stable: { ink: 'neutral', sign: 'M-2.8,-1.3H2.8M-2.8,1.5H2.8' },
  none: { ink: 'neutral', sign: null },
} as const satisfies Record<Tone, { ink: Ink; sign: string | null }>;

const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** A mix of two colours; `part` is that of the second. */
export const mix = (one: string, other: string, part: number): string => {
  const [to, from] = [channels(other), channels(one)];
  const mixed = from.map((channel, n) => Math.round(channel + ((to[n] ?? 0) - channel) * part));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
};

const FALLBACK = '#0b5c6b';
const MIN_CONTRAST = 4.5;

/** A colour, as far towards black or white as texts in it need to be read on the ground. */
export function legible(colour: string, ground: string, least = MIN_CONTRAST): string {
  const own = /^#[0-9a-f]{6}$/i.test(colour) ? colour.toLowerCase() : FALLBACK;
  const end = luminance(ground) > 0.5 ? '#000000' : '#ffffff';
  const steps = Array.from({ length: 21 }, (_, n) => mix(own, end, n / 20));
  return steps.find((step) => contrast(step, ground) >= least) ?? end;
}
