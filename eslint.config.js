import js from '@eslint/js'
import ts from 'typescript-eslint'
import cds from '@sap/eslint-plugin-cds'

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
