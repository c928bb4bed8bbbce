import js from '@eslint/js'
import ts from 'typescript-eslint'
import cds from '@sap/eslint-plugin-cds'

const importsOnly = (files, patterns) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
})
const not = (group, message) => ({ regex: group, message })

export default ts.config(
  {
    ignores: [
      'node_modules',
      '@cds-models',
      'client/generated.d.ts',
      'gen',
      '.restock',
      'data',
      'coverage',
    ],
  },
  js.configs.recommended,
  ...ts.configs.recommended,
  cds.configs.recommended,
  {
    files: ['**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      'no-console': 'error',
    },
  },
  { files: ['cli/**', 'bench/**'], rules: { 'no-console': 'off' } },
  {
    files: ['**/*.js'],
    languageOptions: { globals: { process: 'readonly', URL: 'readonly', console: 'readonly' } },
  },
  {
    files: ['app/**/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          ...['sap', 'window', 'document', 'navigator', 'location', 'fetch', 'matchMedia'],
          ...['setTimeout', 'setInterval', 'clearTimeout', 'ResizeObserver', 'URLSearchParams'],
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  // Who may import whom: docs/architecture.md.
  importsOnly(
    ['engine/**'],
    [
      not('^@sap/|^node:(fs|http|https|net|child_process)', 'The engine does no I/O.'),
      not('/(adapters|srv|cli|db)/', 'The engine imports nothing of ours.'),
    ],
  ),
  importsOnly(
    ['adapters/**'],
    [
      not('^@sap/', 'Adapters know no CAP.'),
      not('/(engine|srv|cli|db|sandbox)/', 'Adapters import nothing of ours.'),
    ],
  ),
  ...[
    ['srv/*', '\\.\\./'],
    ['srv/*/*', '\\.\\./'],
    ['srv/*/*/**', '\\.\\./\\.\\./'],
  ].map(([files, up]) =>
    importsOnly(
      [files],
      [
        not('/(cli|test|bench|sandbox)/', 'Services do not know their clients.'),
        not('/server\\.ts$', 'Nobody imports the composition root.'),
        not(`^${up}(?!store/|cap/|authority/)(\\w|-)+/`, 'Services meet through cds.connect.to.'),
      ],
    ),
  ),
  importsOnly(
    ['srv/v1/*/**'],
    [
      not('/(cli|test|bench)/', 'Services do not know their clients.'),
      not(
        '^\\.\\./\\.\\./(?!store/|errors|config|log)(\\w|-)+/',
        'Services meet through cds.connect.to.',
      ),
    ],
  ),
  importsOnly(
    ['cli/**'],
    [
      not('^@sap/', 'The CLI speaks HTTP.'),
      not('/(srv|adapters|db)/', 'The CLI speaks HTTP, and knows the engine.'),
    ],
  ),
  importsOnly(
    ['sandbox/**'],
    [
      not('^@sap/', 'The sandbox is no CAP service.'),
      not('/(engine|adapters|srv|cli|db|test)/', 'The sandbox knows nothing of its clients.'),
    ],
  ),
  {
    files: ['test/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['it', 'test', 'describe'].map((object) => ({ object, property: 'only' })),
      ],
    },
  },
)
