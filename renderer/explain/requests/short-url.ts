/** Splits a URL into a short name and its location. Pure. */
export interface ShortUrl {
  readonly name: string;
  /** Host and folder; empty for top-level files of the job. */
  readonly place: string;
}

export function shortUrl(address: string): ShortUrl {
  if (/^(data|blob|about):/i.test(address)) return { name: address.slice(0, 48), place: '' };
  const [, host = '', path = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)([^]*)$/i.exec(address) ?? [
    ,
    '',
    address,
  ];
  const way = path.replace(/[?#][^]*$/, '');
  const query = /\?[^#]*/.exec(path)?.[0] ?? '';
  const parts = way.split('/');
  const last = parts.pop() ?? '';
  const folder = parts.join('/');
  if (last !== '') return { name: last + query, place: host + folder };
  return folder === '' ? { name: host + query, place: '' } : { name: `${folder}/${query}`, place: host };
}
