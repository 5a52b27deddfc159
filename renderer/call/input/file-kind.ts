/** Guesses the kind of a file from its name, for display only. The service detects it from the content. */

type FileKind = 'html' | 'archive' | 'data' | 'other';

const patterns: readonly (readonly [FileKind, RegExp])[] = [
  ['html', /\.(x?html?|mhtml)$/i],
  ['archive', /\.(zip|tar|tgz|tar\.gz|tbz2?|tar\.bz2)$/i],
  ['data', /\.(json|ya?ml|xml|csv)$/i],
];

export function fileKindOf(name: string): FileKind {
  return patterns.find(([, ending]) => ending.test(name))?.[0] ?? 'other';
}
