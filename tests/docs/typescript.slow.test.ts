// Every TypeScript sample in a Markdown file type-checks against the library as it is, as strictly as our own code.
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { ROOT } from '../support/cli.js';
import { allPages } from '../support/pages.js';

const SAMPLE = join(ROOT, 'samples');

interface Sample {
  readonly path: string;
  readonly text: string;
}

/** What the compiler says about each sample; nothing where all is well. */
function checkSamples(samples: readonly Sample[]): string[] {
  const files = new Map(samples.map(({ text }, k) => [`${SAMPLE}/${k}.ts`, text]));
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    ROOT,
    {
      // Samples show; what they make is often not used. Those for browsers need the DOM.
      noUnusedLocals: false,
      noUnusedParameters: false,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      paths: { evozero: [join(ROOT, 'src/index.ts')], 'evozero/data': [join(ROOT, 'src/data/index.ts')] },
    },
  );
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, version, ...more) => {
    const text = files.get(name);
    return text === undefined ? getSourceFile(name, version, ...more) : ts.createSourceFile(name, text, version);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((name, k) => {
    const source = program.getSourceFile(name)!;
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((each) => {
      const { line } = source.getLineAndCharacterOfPosition(each.start ?? 0);
      const message = ts.flattenDiagnosticMessageText(each.messageText, ' ');
      return `${samples[k]!.path}: ${source.text.split('\n')[line]!.trim()}: ${message}`;
    });
  });
}

it('all of them, and it would see a mistake', () => {
  const samples = allPages().flatMap(({ path, blocks }) =>
    blocks.filter(({ language }) => language === 'ts').map(({ text }) => ({ path, text })),
  );
  expect(samples.length).toBeGreaterThan(4);
  const wrong = { path: 'wrong', text: "import { search } from 'evozero';\nsearch(1);" };
  const problems = checkSamples([...samples, wrong]);
  expect(problems.at(-1)).toMatch(/^wrong: search\(1\);: Argument of type 'number'/);
  expect(problems.slice(0, -1)).toEqual([]);
});
