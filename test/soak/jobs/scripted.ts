/** Pages with scripts, and pages by URL. They store the word of the job in the browser, and print what earlier jobs stored. */
import type { MakeJob } from '../job.ts';

/** A script that stores the word of the job wherever a page can store data, and prints the data found there. */
const plant = (word: string) => `<script>
  const found = [document.cookie, window.name, location.hash, history.state];
  for (const store of [() => localStorage, () => sessionStorage])
    try { found.push(JSON.stringify(store())); store().left = '${word}'; } catch {}
  document.cookie = 'left=${word}; max-age=3600'; window.name = '${word}'; history.replaceState('${word}', '');
  document.write('<p>found ' + found.join(' ') + '</p>');
</script>`;

export const scripted: Readonly<Record<string, MakeJob>> = {
  script: ({ word }) => ({
    fields: { text: `<body><script>document.write('<h1>${word}</h1>')</script>${plant(word)}` },
    expected: [{ kind: 'pdf', pages: 1, texts: ['found'] }],
  }),

  'late script': ({ word }) => ({
    fields: {
      text: `<p>early</p><script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p id=done>${word}</p>'), 60)</script>`,
      wait_for_element: '#done',
    },
    expected: [{ kind: 'pdf', pages: 1, texts: ['early'] }],
  }),

  'own script': ({ word }) => ({
    fields: {
      text: '<p id="p">before</p>',
      custom_javascript: `document.getElementById('p').textContent = '${word}'`,
    },
    expected: [{ kind: 'pdf', pages: 1, absent: ['before'] }],
  }),

  address: ({ word, web }) => ({
    fields: { url: `${web}/page/${word}` },
    expected: [{ kind: 'pdf', pages: 1, texts: ['cached for', 'found'] }],
  }),

  // The cookie and the header do not contain the word, because the debug log masks their values but must show the word.
  'address with cookies': ({ word, number, web }) => ({
    fields: {
      url: `${web}/page/${word}`,
      cookies: `given=c${number}c`,
      custom_http_header: `X-Job: h${number}h`,
    },
    expected: [{ kind: 'pdf', pages: 1, texts: [`given=c${number}c`, `header h${number}h`] }],
  }),

  'text with parts from the network': ({ word, web }) => ({
    fields: {
      text: `<link rel="stylesheet" href="${web}/style.css"><h1>${word}</h1><i class="bi bi-people"></i><iframe src="${web}/frame/${word}"></iframe>`,
    },
    expected: [{ kind: 'pdf', pages: 1, texts: [`framed ${word}`] }],
  }),
};

export { plant };
