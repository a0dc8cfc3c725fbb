// Colours of code on the site: words, texts, numbers and comments of the few languages that the pages have. It colours, and never
// changes a letter. Must not know pages.

const SCRIPT_WORDS =
  'abstract|as|async|await|break|case|catch|class|const|continue|default|else|enum|export|extends|false|finally|for|from|function|' +
  'if|implements|import|in|instanceof|interface|keyof|let|new|null|of|override|private|readonly|return|satisfies|static|super|' +
  'switch|this|throw|true|try|type|typeof|undefined|var|void|while|yield';
const PYTHON_WORDS =
  'and|as|assert|class|def|elif|else|except|False|finally|for|from|if|import|in|is|lambda|None|not|or|pass|raise|return|self|True|' +
  'try|while|with|yield';

const NUMBER = ['number', /\b\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?\b/];
const QUOTED = ['text', /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/];
const HASH_COMMENT = ['comment', /(?<![^\s])#.*/];

const words = (list) => ['word', new RegExp(`\\b(?:${list})\\b`)];

/** For each language its tokens, the first that fits wins. */
const LANGUAGES = {
  ts: [
    ['comment', /\/\/.*|\/\*[\s\S]*?\*\//],
    ['text', /`(?:[^`\\]|\\.)*`/],
    QUOTED,
    words(SCRIPT_WORDS),
    ['type', /\b[A-Z]\w*[a-z]\w*\b/],
    NUMBER,
  ],
  sh: [HASH_COMMENT, QUOTED, ['word', /^\s*(?:\$ )?[\w./-]+/m], ['type', /(?<=\s)--?[a-z][\w-]*/], NUMBER],
  yaml: [HASH_COMMENT, QUOTED, ['word', /[\w-]+(?=:(?:\s|$))/], words('true|false|null'), NUMBER],
  python: [HASH_COMMENT, QUOTED, words(PYTHON_WORDS), NUMBER],
  alg: [HASH_COMMENT, ['word', /\bdef\b|\b[A-Z]\w+(?=\()/], ['type', /\b[a-z_]+(?=\()/], NUMBER],
  html: [
    ['comment', /<!--[\s\S]*?-->/],
    ['word', /<\/?[a-z][\w-]*|\/?>/],
    ['text', /"[^"\n]*"/],
  ],
  diff: [
    ['added', /^\+.*/m],
    ['removed', /^-.*/m],
  ],
};

const SAME = {
  js: 'ts',
  mjs: 'ts',
  json: 'ts',
  typescript: 'ts',
  shell: 'sh',
  console: 'sh',
  yml: 'yaml',
  bibtex: 'yaml',
};

const COMMAND = /^(?:\$ |(?:evozero|npm|npx|node|docker|kubectl|helm|redis-server|export|echo|git)\s)/m;

/** The language of a block that does not say its own. */
export function guessLanguage(code) {
  if (/^\s*def (?:Setup|Predict|Learn)\(/m.test(code)) return 'alg';
  return COMMAND.test(code) ? 'sh' : '';
}

export function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** HTML of some code. */
export function highlight(code, language) {
  const tokens = LANGUAGES[SAME[language] ?? language];
  if (tokens === undefined) return escapeHtml(code);
  const pattern = new RegExp(tokens.map(([, { source }]) => `(${source})`).join('|'), 'gm');
  let html = '';
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    if (match[0] === '') continue;
    const [name] = tokens[match.slice(1).findIndex((group) => group !== undefined)];
    html += `${escapeHtml(code.slice(end, match.index))}<span class="${name}">${escapeHtml(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(code.slice(end));
}
