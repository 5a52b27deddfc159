/** Splits a URL into a short name and the location of the resource. Pure functions. */
interface ShortUrl {
  readonly name: string;
  /** Host and folder. Empty for top-level files of the job, and for URLs without a path, such as `data:` URLs. */
  readonly location: string;
}

export function shortUrl(address: string): ShortUrl {
  if (/^(data|blob|about):/i.test(address)) return { name: address.slice(0, 48), location: '' };
  const [, host = '', path = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)((?:[/?#][^]*)?)$/i.exec(address) ?? [
    ,
    '',
    address,
  ];
  const [pathname = ''] = path.split(/[?#]/, 1);
  const query = /\?[^#]*/.exec(path)?.[0] ?? '';
  const parts = pathname.split('/');
  const last = parts.pop() ?? '';
  const folder = parts.join('/');
  if (last !== '') return { name: last + query, location: host + folder };
  return folder === ''
    ? { name: host + query, location: '' }
    : { name: `${folder}/${query}`, location: host };
}
