/** What images explain: those that cannot be shown, and those far larger than they are shown. */
import type { ImagesEvent, LogEvent } from '../events.ts';
import { eventsOf, lastOf } from '../select-events.ts';
import { finding, type Finding } from './finding.ts';
import { absentAddresses } from './requests.ts';
import { address, counted, figure, listed, short } from './phrases.ts';

type Image = ImagesEvent['detail']['images'][number];

export function imageFindings(events: readonly LogEvent[]): Finding[] {
  const images = eventsOf(events, 'images').flatMap(({ detail }) => detail.images);
  const absent = absentAddresses(events);
  return [
    ...broken(images.filter(({ problem, url }) => problem === 'broken' && !absent.has(url))),
    ...oversized(
      images.filter(({ problem }) => problem === 'oversized'),
      lastOf(events, 'layout')?.detail.picture === undefined,
    ),
  ];
}

function broken(images: readonly Image[]): Finding[] {
  if (images.length === 0) return [];
  const said = listed(images, ({ url, element }) => `${address(url)} (${short(element)})`);
  const sentence = `${counted(images.length, 'image')} came but cannot be shown, for the file is broken or no image: ${said}.`;
  return [finding('image-broken', sentence)];
}

function oversized(images: readonly Image[], onPaper: boolean): Finding[] {
  if (images.length === 0) return [];
  const said = listed(
    images,
    ({ url, natural, shown }) => `${address(url)} (${size(natural)}, shown at ${size(shown)} px)`,
  );
  const cost = onPaper ? 'makes the document larger and slower' : 'takes time and memory';
  const sentence = `${counted(images.length, 'image')} ${images.length === 1 ? 'has' : 'have'} far more pixels than can be seen, which ${cost}: ${said}.`;
  const options = onPaper ? ['image_dpi', 'convert_images_to_jpeg', 'jpeg_quality'] : [];
  return [finding('image-oversized', sentence, { options })];
}

function size({ width, height }: Image['natural']): string {
  return `${figure(width)} × ${figure(height)}`;
}
