import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import linearPattern from './build/lint/linear-pattern.mjs';

/** Rules for all code. The limits of sizes are where lint fails, not where code should be. */
const allCode = {
  'max-lines': ['error', 500],
  'max-lines-per-function': ['error', 60],
  // Our own functions; a callback has as many parameters as its library gives it.
  'no-restricted-syntax': [
    'error',
    ...[
      'FunctionDeclaration',
      'VariableDeclarator > ArrowFunctionExpression',
      'MethodDefinition > FunctionExpression',
    ].map((kind) => ({
      selector: `${kind}[params.length>3]`,
      message: 'Three parameters, then one object.',
    })),
    {
      selector: 'ObjectExpression > SpreadElement > ObjectExpression',
      message: 'List the properties without a spread, which hides them.',
    },
    {
      selector: ':matches(ArrayExpression, CallExpression) > SpreadElement > ArrayExpression',
      message: 'List the elements without a spread.',
    },
    // A spread of a list that is read at some places, `const [first] = [...a, ...b]`, is allowed.
    {
      selector: "VariableDeclarator[id.type='ArrayPattern'] > ArrayExpression:not(:has(> SpreadElement))",
      message: 'One statement, one variable.',
    },
  ],
};

export default tseslint.config(
  { ignores: ['.build/', 'dist/', 'client/dist/', 'node_modules/', 'test/fixtures/'] },
  { files: ['**/*.{js,mjs,cjs,ts,tsx}'], rules: allCode },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      // Numbers are safe in a template string; objects are not.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // An empty function is how "nothing to do" is written.
      '@typescript-eslint/no-empty-function': 'off',
      // A dictionary's keys come from outside, so an index signature is the honest type.
      '@typescript-eslint/consistent-indexed-object-style': 'off',
    },
  },
  {
    // What callers and pages send must not stop the service: see docs/decisions/0062-linear-patterns.md. A pattern is allowed
    // although it is reported if a comment says why it takes linear time, or who alone can send the text.
    files: ['{main,renderer,client,build}/**/*.{js,mjs,cjs,ts,tsx}'],
    plugins: { regexp, platen: { rules: { 'linear-pattern': linearPattern } } },
    rules: {
      'platen/linear-pattern': 'error',
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { ignoreSticky: false, ignorePartial: false }],
    },
  },
  // As long as the table of options.
  { files: ['client/generated/*.ts'], rules: { 'max-lines': 'off' } },
  // The composition root lists what the service is built of.
  { files: ['main/runtime/serve.ts'], rules: { 'max-lines-per-function': 'off' } },
  {
    files: ['main/**/*.ts'],
    rules: {
      // Electron's ways to the desktop and between processes, none of which a page's service needs (docs/security.md).
      'no-restricted-imports': [
        'error',
        {
          name: 'electron',
          importNames: ['shell', 'ipcMain', 'contextBridge', 'desktopCapturer', 'dialog', 'crashReporter'],
          message: 'See docs/security.md, "Electron".',
        },
      ],
    },
  },
  {
    // The tray and its window are a person's, and the preload's bridge is theirs alone.
    files: ['main/app/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          name: 'electron',
          importNames: ['ipcMain', 'desktopCapturer', 'crashReporter'],
          message: 'See docs/security.md, "Electron".',
        },
      ],
    },
  },
  {
    // What stands in for a native method calls that with the page's own `this`.
    files: ['main/engine/page-scripts/settling/*.ts'],
    rules: { '@typescript-eslint/unbound-method': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // A describe block is a chapter, not a function; node:test returns promises nobody needs to await.
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            {
              from: 'package',
              package: 'node:test',
              name: ['test', 'it', 'describe', 'suite', 'before', 'after', 'beforeEach', 'afterEach'],
            },
          ],
        },
      ],
    },
  },
);
