import js from '@eslint/js'
import ts from 'typescript-eslint'
// @ts-expect-error: it brings no types.
import untyped from '@sap/eslint-plugin-cds'

/** @type {import('eslint').Linter.RulesRecord} */
const NOTHING_UNSAFE = {
  '@typescript-eslint/no-unsafe-argument': 'error',
  '@typescript-eslint/no-unsafe-assignment': 'error',
  '@typescript-eslint/no-unsafe-call': 'error',
  '@typescript-eslint/no-unsafe-member-access': 'error',
  '@typescript-eslint/no-unsafe-return': 'error',
}

// eslint-disable-next-line @typescript-eslint/no-unsafe-assignment
const cds = /** @type {{ configs: { recommended: import('eslint').Linter.Config } }} */ (untyped)

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
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['**/*.ts', '*.js', '.*.js', 'bin/*.js'],
    ignores: ['app/**'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
    },
  },
  {
    files: ['**/*.ts', '*.js', '.*.js', 'bin/*.js'],
    ignores: ['app/**'],
    rules: {
      ...NOTHING_UNSAFE,
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
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
