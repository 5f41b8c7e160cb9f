import { type Markup, markup } from '#shared/platform/runtime/markup.ts';
import type { Drawing, Ink, Mark } from '../charts/drawing.ts';
import { safeLink } from './format.ts';

/** A drawing as SVG. Colours are classes of the page's style (html-style.ts). A drawing without a name decorates. */
export function svgOf({ width, height, marks }: Drawing, name: string | null): Markup {
  const isLinked = marks.some((mark) => mark.mark === 'text' && safeLink(mark.link) !== null);
  // A picture has no links for those who do not see it; a group has.
  const named = markup`role="${isLinked ? 'group' : 'img'}" aria-label="${name}"`;
  const role = name === null ? markup`aria-hidden="true"` : named;
  return markup`<svg viewBox="0 0 ${short(width)} ${short(height)}" ${role}>${marks.map(shapeOf)}</svg>`;
}

const short = (value: number): number => Math.round(value * 100) / 100;
/** Bars and lines of the organization have its second colour, links its first. */
const classOf = (kind: 'f' | 's', ink: Ink | null): string => `${kind}-${ink === 'brand' ? 'accent' : (ink ?? 'none')}`;

function shapeOf(mark: Mark): Markup {
  if (mark.mark === 'text') return textOf(mark);
  if (mark.mark === 'rect') {
    const { x, y, width, height, fill } = mark;
    return markup`<rect class="${classOf('f', fill)}" x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"/>`;
  }
  const { d, fill, stroke, width, opacity, dash } = mark;
  const dashes = dash === null ? null : markup` stroke-dasharray="${short(dash)}"`;
  return markup`<path class="${classOf('f', fill)} ${classOf('s', stroke)}" d="${d}" stroke-width="${short(width)}" fill-opacity="${opacity}"${dashes}/>`;
}

function textOf({ x, y, text, size, ink, anchor, strong, link }: Extract<Mark, { mark: 'text' }>): Markup {
  const target = safeLink(link);
  const colour = target ? 'f-brand' : classOf('f', ink);
  const drawn = markup`<text class="${colour}${strong ? ' strong' : ''}" x="${short(x)}" y="${short(y)}" font-size="${size}" text-anchor="${anchor}">${text}</text>`;
  return target ? markup`<a href="${target}">${drawn}</a>` : drawn;
}
